"""PostgreSQL with pgvector and Valkey from their wheels, when no URL is configured.

`addresses` says where they are, `servers.ensure` starts and holds them, `supervisor` runs them in a process of its own.
Django-free: settings are imported before anything is started.
"""
