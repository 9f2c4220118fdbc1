"""The code under test, which knows nothing of Virga: it uses the configuration of the environment."""

import boto3


def save(name, text):
    boto3.client("s3").put_object(Bucket="notes", Key=name, Body=text.encode())


def load(name):
    return boto3.client("s3").get_object(Bucket="notes", Key=name)["Body"].read().decode()
