# The service with its built knowledge index; data lives in /data.
FROM python:3.11-slim

WORKDIR /app
COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY service ./service
COPY eval ./eval
COPY knowledge ./knowledge
COPY prompts ./prompts
RUN pip install --no-cache-dir --no-deps --no-build-isolation -e . \
    && useradd --create-home shardwise && mkdir /data && chown shardwise /data

USER shardwise
ENV SHARDWISE_DATA_DIR=/data
EXPOSE 8000
CMD ["shardwise", "serve"]
