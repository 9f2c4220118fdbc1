"""Requests recorded from clients: bodies in signed chunks, customer keys, Keycloak's paths, SAML, the mobile cloud, Version 4 of OSS."""

import base64
import gzip
import hashlib
import json
import zlib

from object_requests import CRC32, JSON, S3, STS, XML
from requests_and_signatures import Request, chunked, oss4, version4

CARE = [("Oracle-Mobile-Backend-ID", "5c1e9f4a-3b7d-4e0c-9a52-6d8f0b1a7c31")]
MARC = "/_virga/mobile/realms/Default%281.0%29/users/marc"


def chunks():
    """Bodies as the AWS SDKs send them over plain HTTP, also with a trailing checksum."""
    plain = ("Content-Type", "application/octet-stream")
    yield Request("signed chunks", "PUT", "/fuzz/chunks", [], [plain], b"a text of some length" * 500, chunked("s3"))
    yield Request("signed chunks and trailer", "PUT", "/fuzz/trailer", [], [plain, ("x-amz-sdk-checksum-algorithm", "CRC32")], b"text",
                  chunked("s3", trailer=("x-amz-checksum-crc32", CRC32)))
    yield Request("signed chunks of an upload", "POST", "/fuzz/chunked", [("uploads", "")], sign=S3)
    yield Request("signed chunks of a part", "PUT", "/fuzz/chunked", [("partNumber", "3"), ("uploadId", "UPLOAD")], [], b"a part" * 50, chunked("s3"))
    yield Request("unsigned payload", "PUT", "/fuzz/unsigned", [], [plain], b"text", version4("s3", payload="UNSIGNED-PAYLOAD"))


def customers_keys():
    def fields(prefix, key):
        digest = base64.b64encode(hashlib.md5(key).digest()).decode()
        return [(f"{prefix}-algorithm", "AES256"), (f"{prefix}-key", base64.b64encode(key).decode()), (f"{prefix}-key-MD5", digest)]

    own, source = "x-amz-server-side-encryption-customer", "x-amz-copy-source-server-side-encryption-customer"
    first, second = bytes(range(32)), bytes(range(1, 33))
    yield Request("SSE-C allowed", "PUT", "/fuzz", [("encryption", "")], XML, b"<ServerSideEncryptionConfiguration><Rule><BlockedEncryptionTypes><EncryptionType>NONE"
                  b"</EncryptionType></BlockedEncryptionTypes></Rule></ServerSideEncryptionConfiguration>", S3)
    yield Request("SSE-C Put", "PUT", "/fuzz/sse", [], fields(own, first), b"secret" * 30, S3)
    yield Request("SSE-C Put in chunks", "PUT", "/fuzz/sse2", [], fields(own, first), b"secret" * 30, chunked("s3"))
    yield Request("SSE-C Head", "HEAD", "/fuzz/sse", [], fields(own, first), sign=S3)
    yield Request("SSE-C Get", "GET", "/fuzz/sse", [], fields(own, first) + [("Range", "bytes=3-20")], sign=S3)
    yield Request("SSE-C Copy", "PUT", "/fuzz/sse3", [], [("x-amz-copy-source", "/fuzz/sse")] + fields(source, first) + fields(own, second), sign=S3)
    yield Request("SSE-C upload", "POST", "/fuzz/sse4", [("uploads", "")], fields(own, first), sign=S3)
    yield Request("SSE-C part", "PUT", "/fuzz/sse4", [("partNumber", "1"), ("uploadId", "UPLOAD")], fields(own, first), b"secret" * 30, S3)
    yield Request("SSE-C part copy", "PUT", "/fuzz/sse4", [("partNumber", "2"), ("uploadId", "UPLOAD")],
                  [("x-amz-copy-source", "/fuzz/sse"), ("x-amz-copy-source-range", "bytes=1-9")] + fields(source, first) + fields(own, first), sign=S3)
    yield Request("SSE-C complete", "POST", "/fuzz/sse4", [("uploadId", "UPLOAD")], XML + fields(own, first),
                  b"<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>a</ETag></Part></CompleteMultipartUpload>", S3)
    yield Request("SSE-C Select", "POST", "/fuzz/sse", [("select", ""), ("select-type", "2")], XML + fields(own, first),
                  b"<SelectObjectContentRequest><Expression>select * from s3object</Expression><ExpressionType>SQL</ExpressionType><InputSerialization><CSV/>"
                  b"</InputSerialization><OutputSerialization><JSON/></OutputSerialization></SelectObjectContentRequest>", S3)


def keycloak(tokens):
    token = tokens.get("keycloak", "a.b.c")
    basic = [("Authorization", "Basic " + base64.b64encode(b"my_client:my_client_secret").decode())]
    for base in ["/auth/realms/demorealm", "/realms/demorealm"]:
        connect = f"{base}/protocol/openid-connect"
        for fields in [
                [("grant_type", "client_credentials"), ("scope", "openid")],
                [("grant_type", "password"), ("username", "testuser"), ("password", "password"), ("scope", "openid profile")],
                [("grant_type", "refresh_token"), ("refresh_token", tokens.get("refresh", "a"))],
                [("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("subject_token", token), ("requested_token_type", "urn:ietf:params:oauth:token-type:access_token")]]:
            yield Request(f"Keycloak {fields[0][1]}", "POST", f"{connect}/token", [], basic, form=fields)
            yield Request(f"Keycloak {fields[0][1]}", "POST", f"{connect}/token", form=fields + [("client_id", "my_client"), ("client_secret", "my_client_secret")])
        yield Request("Keycloak discovery", "GET", f"{base}/.well-known/openid-configuration")
        yield Request("Keycloak realm", "GET", base)
        yield Request("Keycloak keys", "GET", f"{connect}/certs")
        yield Request("Keycloak userinfo", "GET", f"{connect}/userinfo", [], [("Authorization", f"Bearer {tokens.get('keycloak access', 'a')}")])
        yield Request("Keycloak introspection", "POST", f"{connect}/token/introspect", [], basic, form=[("token", tokens.get("keycloak access", "a"))])
        yield Request("Keycloak logout", "POST", f"{connect}/logout", [], basic, form=[("refresh_token", tokens.get("refresh", "a"))])
        yield Request("Keycloak login", "GET", f"{connect}/auth", [
            ("client_id", "my_client"), ("redirect_uri", "http://localhost:8765/callback"), ("response_type", "code"), ("scope", "openid"), ("state", "a")])
        yield Request("Keycloak registration", "GET", f"{connect}/registrations", [
            ("client_id", "my_client"), ("redirect_uri", "http://localhost:8765/callback"), ("response_type", "code"), ("scope", "openid")])
        for action in ["authenticate", "registration"]:
            yield Request(f"Keycloak {action}", "POST", f"{base}/login-actions/{action}", [("session_code", "a"), ("tab_id", "b")], form=[
                ("username", "testuser"), ("password", "password"), ("password-confirm", "password"), ("email", "a@example.com")])
        yield Request("Keycloak SAML", "GET", f"{base}/protocol/saml/descriptor")
    yield Request("AssumeRoleWithWebIdentity Keycloak", "POST", "/", form=[
        ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", "arn:aws:iam::000000000000:role/realm"), ("RoleSessionName", "ab"),
        ("WebIdentityToken", token), ("DurationSeconds", "900")])


def deflated(document):
    machine = zlib.compressobj(wbits=-15)
    return base64.b64encode(machine.compress(document) + machine.flush()).decode()


def saml(tokens):
    names = "xmlns:samlp='urn:oasis:names:tc:SAML:2.0:protocol' xmlns:saml='urn:oasis:names:tc:SAML:2.0:assertion'"
    head = "ID='_a1' Version='2.0' IssueInstant='2026-01-01T00:00:00Z'"
    request = (f"<samlp:AuthnRequest {names} {head} AssertionConsumerServiceURL='https://signin.aws.amazon.com/saml'>"
               "<saml:Issuer>urn:amazon:webservices</saml:Issuer><samlp:NameIDPolicy AllowCreate='true' Format='urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'/>"
               "<samlp:RequestedAuthnContext Comparison='exact'><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>"
               "</samlp:RequestedAuthnContext></samlp:AuthnRequest>").encode()
    logout = (f"<samlp:LogoutRequest {names} {head}><saml:Issuer>urn:amazon:webservices</saml:Issuer><saml:NameID>alice</saml:NameID>"
              "<samlp:SessionIndex>a</samlp:SessionIndex></samlp:LogoutRequest>").encode()
    for name, document, path in [("AuthnRequest", request, "sso"), ("LogoutRequest", logout, "slo")]:
        yield Request(f"SAML {name}", "GET", f"/idp/company/saml/{path}", [("SAMLRequest", deflated(document)), ("RelayState", "a")])
        yield Request(f"SAML {name}", "POST", f"/idp/company/saml/{path}", form=[("SAMLRequest", base64.b64encode(document).decode()), ("RelayState", "a")])
        envelope = b"<S:Envelope xmlns:S='http://schemas.xmlsoap.org/soap/envelope/'><S:Body>" + document + b"</S:Body></S:Envelope>"
        yield Request(f"SAML {name} by SOAP", "POST", f"/idp/company/saml/{path}", [], [("Content-Type", "text/xml")], envelope)
        yield Request(f"SAML {name} as it is", "POST", f"/idp/company/saml/{path}", [], [("Content-Type", "text/xml")], document)
    yield Request("SAML of AD FS", "GET", "/adfs/ls/idpinitiatedsignon", [("loginToRp", "urn:amazon:webservices")])
    response = base64.b64decode(tokens.get("saml", "AAAA"))
    employee = base64.b64decode(tokens.get("ridgeline saml", "AAAA"))
    for sign in [None, STS]:
        yield Request("AssumeRoleWithSAML by bytes", "POST", "/", sign=sign, form=[
            ("Action", "AssumeRoleWithSAML"), ("Version", "2011-06-15"), ("RoleArn", "arn:aws:iam::000000000000:role/personal-files-saml"),
            ("PrincipalArn", "arn:aws:iam::000000000000:saml-provider/company"), ("SAMLAssertion", base64.b64encode(response).decode())])
    begin, end = employee.find(b"<saml:Assertion"), employee.rfind(b"</saml:Assertion>")
    assertion = employee[begin:end + 17] if begin >= 0 else employee
    for content in [gzip.compress(assertion), assertion]:
        yield Request("mobile exchange of SAML", "GET", "/mobile/platform/sso/exchange-token", [],
                      CARE + [("Authorization", "Bearer " + base64.b64encode(content).decode())])


def mobile(tokens):
    yield Request("mobile password", "PUT", MARC, [], JSON, json.dumps({
        "username": "marc", "password": "marc-password", "email": "marc@ridgeline.example", "roles": ["Technician", "Manager"]}).encode())
    marc = CARE + [("Authorization", "Basic " + base64.b64encode(b"marc:marc-password").decode())]
    token = CARE + [("Authorization", f"Bearer {tokens.get('mobile', 'a')}")]
    team = CARE + [("Authorization", "Basic " + base64.b64encode(b"sven:sven-password").decode())]
    for credentials in [marc, token]:
        yield Request("mobile own", "GET", "/mobile/platform/users/~", [("fields", "username,roles")], credentials)
        yield Request("mobile own", "PUT", "/mobile/platform/users/~", [], credentials + JSON, b'{"station":"Summit","phone":null}')
        objects = "/mobile/platform/storage/collections/manuals/objects"
        yield Request("mobile object", "PUT", f"{objects}/a%20b", [], credentials + [("Content-Type", "text/plain"), ("Oracle-Mobile-Name", "a%20b")], b"text" * 20)
        yield Request("mobile object", "POST", objects, [], credentials + [("Content-Type", "application/json")], b'{"a":1}')
        yield Request("mobile object", "GET", f"{objects}/a%20b", [], credentials + [("Range", "bytes=1-3"), ("If-None-Match", "*"), ("Accept", "text/plain")])
        yield Request("mobile object", "HEAD", f"{objects}/a%20b", [], credentials)
        yield Request("mobile objects", "GET", objects, [("limit", "1"), ("offset", "1"), ("q", "a"), ("orderBy", "contentLength:desc"), ("totalResults", "true")], credentials)
        yield Request("mobile object", "DELETE", f"{objects}/none", [], credentials + [("If-Match", "*")])
        yield Request("mobile photo", "PUT", "/mobile/platform/storage/collections/photos/objects/p", [("user", "marc")], credentials + [("Content-Type", "image/png")], b"png")
        yield Request("mobile collection", "GET", "/mobile/platform/storage/collections/manuals", [], credentials)
        yield Request("mobile device", "POST", "/mobile/platform/devices/register", [], credentials + JSON, json.dumps({
            "notificationToken": "t", "mobileClient": {"id": "c", "version": "1.0", "platform": "IOS"}, "notificationProvider": "APNS"}).encode())
        yield Request("mobile device", "POST", "/mobile/platform/devices/deregister", [], credentials + JSON, json.dumps({
            "notificationToken": "t", "mobileClient": {"id": "c", "version": "1.0", "platform": "IOS"}, "notificationProvider": "APNS"}).encode())
        for kind in ["places", "devices", "assets"]:
            yield Request(f"mobile {kind}", "GET", f"/mobile/platform/location/{kind}/1", [("format", "long")], credentials)
            yield Request(f"mobile {kind}", "GET", f"/mobile/platform/location/{kind}", [("name", "Summit"), ("nearestTo", "gpsPoint:46.0,7.7"), ("expectedItems", "1")], credentials)
            yield Request(f"mobile {kind}", "POST", f"/mobile/platform/location/{kind}/query", [], credentials + JSON, json.dumps({
                "inGeoFence": {"gpsCircle": {"latitude": 46.0, "longitude": 7.7, "radius": 90000}}, "orderBy": "name:desc", "offset": 0, "limit": 5, "attributes": {"toilet": "yes"}}).encode())
        yield Request("mobile incidents", "DELETE", "/mobile/custom/incidents/incidents/101", [], credentials)
        yield Request("mobile incidents", "POST", "/mobile/custom/incidents/1.0/incidents", [], credentials + JSON, b'{"title":"a"}')
    tables = "/mobile/system/databaseManagement/tables"
    movies = {"name": "Movies", "columns": [{"name": "title", "type": "string", "size": 50}, {"name": "year", "type": "integer", "size": 4},
                                            {"name": "gross", "type": "decimal", "size": 9, "subSize": 2}, {"name": "seen", "type": "dateTime"}],
              "primaryKeys": ["year", "title"], "requiredColumns": ["gross"]}
    yield Request("mobile tables", "POST", tables, [], team + JSON + [("Oracle-Mobile-Extra-Fields", "createdBy,modifiedOn")], json.dumps(movies).encode())
    yield Request("mobile tables", "PUT", f"{tables}/Films", [], team + JSON, json.dumps(movies | {"name": "Films"}).encode())
    yield Request("mobile tables", "POST", f"{tables}/Films/indexes", [], team + JSON, b'{"name":"release","columns":["year","seen"]}')
    yield Request("mobile tables", "GET", tables, [], team)
    yield Request("mobile tables", "GET", f"{tables}/Films", [], team)
    yield Request("mobile tables", "DELETE", f"{tables}/Films/indexes/other", [], team)
    yield Request("mobile tables", "DELETE", f"{tables}/None", [], team)
    member = json.dumps({"name": "fuzz", "password": "p", "roles": ["Mobile_DbMgmt"]}).encode()
    yield Request("control team-members", "PUT", "/_virga/mobile/team-members/fuzz", [], JSON, member)
    yield Request("control team-members", "GET", "/_virga/mobile/team-members")


def oss():
    photos = "/harbour-photos"
    for sign, kind in [(oss4(), ""), (oss4(presigned=True), " presigned")]:
        yield Request(f"oss V4 Put{kind}", "PUT", f"{photos}/v4", [], [("Content-Type", "text/plain"), ("x-oss-meta-a", "b")], b"text", sign)
        yield Request(f"oss V4 Get{kind}", "GET", f"{photos}/v4", [("response-content-type", "text/html")], [("Range", "bytes=0-1")], sign=sign)
        yield Request(f"oss V4 Head{kind}", "HEAD", f"{photos}/v4", sign=sign)
        yield Request(f"oss V4 List{kind}", "GET", f"{photos}/", [("list-type", "2"), ("max-keys", "2"), ("prefix", "")], sign=sign)
        yield Request(f"oss V4 Append{kind}", "POST", f"{photos}/v4log", [("append", None), ("position", "0")], [], b"text", sign)
        yield Request(f"oss V4 Copy{kind}", "PUT", f"{photos}/v4copy", [], [("x-oss-copy-source", "/harbour-photos/v4")], sign=sign)
        yield Request(f"oss V4 tagging{kind}", "PUT", f"{photos}/v4", [("tagging", None)], XML, b"<Tagging><TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet></Tagging>", sign)
        yield Request(f"oss V4 acl{kind}", "GET", f"{photos}/", [("acl", None)], sign=sign)


def recorded(tokens):
    for part in [chunks(), customers_keys(), keycloak(tokens), saml(tokens), mobile(tokens), oss()]:
        yield from part
