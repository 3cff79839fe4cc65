"""Where the log goes: to the console, and never as mail with what a reader sent."""

from __future__ import annotations

import logging

from django.core import mail
from django.utils.log import AdminEmailHandler


def test_no_request_is_mailed_to_administrators(settings, rf):
    settings.ADMINS = [("Operator", "operator@example.org")]
    settings.DEBUG = False
    request = rf.post("/ask/", {"question": "Wer hilft mir?"})
    for name in ("django.request", "django.security.DisallowedHost", "django"):
        logging.getLogger(name).error("Internal Server Error: /ask/", extra={"request": request, "status_code": 500})
    assert mail.outbox == []


def test_no_logger_has_a_handler_that_mails():
    loggers = [logging.getLogger(), *map(logging.getLogger, logging.root.manager.loggerDict)]
    assert not [log.name for log in loggers if any(isinstance(each, AdminEmailHandler) for each in log.handlers)]


def test_errors_of_requests_reach_the_console(caplog):
    logging.getLogger("django.request").error("broken")
    assert "broken" in caplog.text
