# One image for web, worker and beat; docker-compose.yml says which runs.
FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY requirements.txt /tmp/
RUN python -m venv /opt/venv && /opt/venv/bin/pip install --no-deps -r /tmp/requirements.txt

FROM python:3.11-slim-bookworm
# Text recognition for scanned pages; the embedder needs the OpenMP runtime.
RUN apt-get update \
    && apt-get install -y --no-install-recommends tesseract-ocr tesseract-ocr-deu libgomp1 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin wegweiser \
    && install -d -o wegweiser /var/lib/wegweiser/media /var/lib/wegweiser/state
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 \
    VAR_DIR=/var/lib/wegweiser/state MEDIA_ROOT=/var/lib/wegweiser/media STATIC_ROOT=/app/staticfiles
WORKDIR /app
COPY --from=build /opt/venv /opt/venv
COPY manage.py ./
COPY apps apps
COPY templates templates
COPY static static
# Placeholders that exist for this one command only; the running image has no secret in it.
RUN DATABASE_URL=postgres://build@build/build CELERY_BROKER_URL=redis://build DJANGO_SECRET_KEY=build \
    DJANGO_ALLOWED_HOSTS=build python manage.py collectstatic --noinput
USER wegweiser
EXPOSE 8000
# By the name that readers use: every other is refused.
HEALTHCHECK --interval=15s --timeout=5s --start-period=40s \
    CMD ["python", "-c", "import os, urllib.request as u; host = os.environ['DJANGO_ALLOWED_HOSTS'].split(',')[0].strip(' .').replace('*', 'localhost'); u.urlopen(u.Request('http://127.0.0.1:8000/health/', headers={'Host': host}), timeout=4)"]
# No access log: it would tell which network address opened which conversation.
CMD ["uvicorn", "apps.config.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--lifespan", "on", \
     "--timeout-worker-healthcheck", "60", "--timeout-graceful-shutdown", "3", "--no-server-header", "--no-access-log"]
