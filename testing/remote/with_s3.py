"""Runs a command with a store of objects beside it: `moto`, which speaks as S3 does, on loopback.

The environment of the command has the endpoint and credentials, as programs for S3 expect them, and ARROW_TEST_S3=1. The
bucket `arrow` has one golden file, `golden/integers-full.arrow`.
"""

import logging
import os
import subprocess
import sys
from pathlib import Path

import boto3
from moto.server import ThreadedMotoServer

CORPUS = Path(__file__).parent.parent / "corpus"

logging.getLogger("werkzeug").setLevel(logging.ERROR)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
settings = {
    "AWS_ENDPOINT": f"http://{host}:{port}",
    "AWS_ENDPOINT_URL": f"http://{host}:{port}",
    "AWS_ALLOW_HTTP": "true",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
}
os.environ.update(settings)
try:
    client = boto3.client("s3")
    client.create_bucket(Bucket="arrow")
    golden = CORPUS / "golden/pyarrow-26.0.1/integers-full.arrow"
    client.put_object(Bucket="arrow", Key="golden/integers-full.arrow", Body=golden.read_bytes())
    sys.exit(subprocess.run(sys.argv[1:], env={**os.environ, "ARROW_TEST_S3": "1"}).returncode)
finally:
    server.stop()
