# The server of senna-py, from a clone:
#
#     docker build -t senna-py .
#     docker run --rm --stop-timeout 75 -p 127.0.0.1:8765:8765 senna-py --jobs 2
#
# Publish another port with -p 127.0.0.1:9000:8765: HEALTHCHECK asks port 8765 in the container. At
# a stop, accepted requests have the time of --timeout, 60 s, and docker would kill after 10 s.
#
# Besides the base image, the build needs only the package index. docs/guide/server.md explains it.
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/senna-py && /opt/senna-py/bin/pip install --no-cache-dir '.[serve]'

FROM python:${PYTHON}-slim
COPY --from=build /opt/senna-py /opt/senna-py
RUN useradd --uid 10001 --create-home senna
USER senna
ENV PATH=/opt/senna-py/bin:$PATH PYTHONUNBUFFERED=1
# Kernels are compiled for the processor of this machine. Only the user who compiles them uses them.
RUN senna-py warm-up
EXPOSE 8765
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["python", "-c", \
    "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/health', timeout=4)"]
ENTRYPOINT ["senna-py", "serve", "--host", "0.0.0.0"]
