"""Notes: people log in with OpenID Connect, and keep notes in S3 with credentials of their own. Nothing in it knows Virga: in production,
other variables lead it to the real services."""

import os
import secrets

import boto3
from authlib.integrations.flask_client import OAuth
from botocore.config import Config
from botocore.exceptions import ClientError
from flask import Flask, redirect, render_template_string, request, session, url_for

PAGE = """
<!doctype html><title>Notes</title>
{% if person %}
<h1>Notes of {{ person.name }}</h1>
<ul>{% for note in notes %}<li><a href="{{ url_for('read', note=note) }}">{{ note }}</a></li>{% endfor %}</ul>
<form method="post" action="{{ url_for('write') }}"><input name="note" placeholder="name"><input name="text" placeholder="text"><button>Keep</button></form>
{% else %}
<h1>Notes</h1>
<a href="{{ url_for('login') }}">Log in</a>
{% endif %}
"""

app = Flask(__name__)
app.secret_key = secrets.token_bytes(32)
bucket = os.environ["NOTES_BUCKET"]
people = {}

provider = OAuth(app).register(
    "provider", client_id=os.environ["OIDC_CLIENT_ID"], client_secret=os.environ["OIDC_CLIENT_SECRET"],
    server_metadata_url=os.environ["OIDC_ISSUER"] + "/.well-known/openid-configuration",
    client_kwargs={"scope": "openid profile", "code_challenge_method": "S256"})


class Person:
    """A person who is logged in: the claims of the ID token, and a client of S3 with the credentials that STS returned for it."""

    def __init__(self, token):
        self.name = token["userinfo"]["name"]
        self.folder = token["userinfo"]["sub"]
        answer = boto3.client("sts").assume_role_with_web_identity(
            RoleArn=os.environ["NOTES_ROLE"], RoleSessionName=self.folder, WebIdentityToken=token["id_token"])
        keys = answer["Credentials"]
        self.s3 = boto3.client(
            "s3", aws_access_key_id=keys["AccessKeyId"], aws_secret_access_key=keys["SecretAccessKey"],
            aws_session_token=keys["SessionToken"], config=Config(signature_version="s3v4"))

    def key(self, note):
        return f"{self.folder}/{note}"

    def notes(self):
        listing = self.s3.list_objects_v2(Bucket=bucket, Prefix=f"{self.folder}/")
        return [entry["Key"].partition("/")[2] for entry in listing.get("Contents", [])]


@app.get("/")
def index():
    person = people.get(session.get("id"))
    return render_template_string(PAGE, person=person, notes=person.notes() if person else [])


@app.get("/login")
def login():
    return provider.authorize_redirect(url_for("callback", _external=True))


@app.get("/callback")
def callback():
    session["id"] = secrets.token_urlsafe()
    people[session["id"]] = Person(provider.authorize_access_token())
    return redirect(url_for("index"))


@app.post("/notes")
def write():
    person = people[session["id"]]
    person.s3.put_object(Bucket=bucket, Key=person.key(request.form["note"]), Body=request.form["text"].encode(), ContentType="text/plain")
    return redirect(url_for("index"))


@app.get("/notes/<path:note>")
def read(note):
    """The browser reads the object by itself."""
    person = people[session["id"]]
    return redirect(person.s3.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": person.key(note)}, ExpiresIn=60))


@app.get("/health")
def health():
    return "ok"


@app.errorhandler(ClientError)
def refused(error):
    if error.response["Error"]["Code"] == "ExpiredToken":
        people.pop(session.get("id"), None)
        return redirect(url_for("login"))
    return error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]
