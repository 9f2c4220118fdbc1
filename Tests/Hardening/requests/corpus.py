"""Valid requests of every face, for the seeds that `run` layers. The first of them create what the others need."""

import base64
import datetime
import json

from object_requests import BUCKET_CONFIGURATIONS, IAM, JSON, OSS, POLICY, RAM_POLICY, STS, TRUST, XML, form, s3
from recorded_requests import recorded
from requests_and_signatures import Request, hmac_of, rpc, stamp


def query_services(tokens):
    def call(action, sign, version, **fields):
        return Request(action, "POST", "/", form=[("Action", action), ("Version", version)] + [(n.replace("_", "."), v) for n, v in fields.items()], sign=sign)

    def sts(action, sign=STS, **fields):
        return call(action, sign, "2011-06-15", **fields)

    def iam(action, **fields):
        return call(action, IAM, "2010-05-08", **fields)

    arn = "arn:aws:iam::000000000000:"
    yield sts("GetCallerIdentity")
    yield iam("CreateRole", RoleName="fuzz", AssumeRolePolicyDocument=TRUST, Path="/", MaxSessionDuration="3600", Tags_member_1_Key="a", Tags_member_1_Value="b")
    yield sts("AssumeRole", RoleArn=arn + "role/fuzz", RoleSessionName="ab", DurationSeconds="900", Policy=POLICY, Tags_member_1_Key="a",
              Tags_member_1_Value="b", TransitiveTagKeys_member_1="a", PolicyArns_member_1_arn="arn:aws:iam::aws:policy/ReadOnlyAccess", ExternalId="ab")
    yield sts("GetSessionToken", DurationSeconds="900", SerialNumber=arn + "mfa/a", TokenCode="123456")
    yield sts("GetSessionToken", DurationSeconds="900")
    yield sts("GetFederationToken", Name="fuzz", Policy=POLICY, DurationSeconds="900")
    yield sts("GetAccessKeyInfo", AccessKeyId="AKIAVIRGADEVELOPER00")
    yield sts("DecodeAuthorizationMessage", EncodedMessage="AAAA")
    yield sts("GetWebIdentityToken", Audience_member_1="a", SigningAlgorithm="RS256", DurationSeconds="60")
    for provider, identifier in [("facebook", "graph.facebook.com"), ("amazon", "www.amazon.com"), ("google", None), ("company", None)]:
        if provider in tokens:
            fields = {"ProviderId": identifier} if identifier else {}
            yield sts("AssumeRoleWithWebIdentity", None, RoleArn=arn + f"role/personal-files-{provider}", RoleSessionName="ab",
                      WebIdentityToken=tokens[provider], DurationSeconds="900", **fields)
    yield sts("AssumeRoleWithSAML", None, RoleArn=arn + "role/personal-files-company", PrincipalArn=arn + "saml-provider/company",
              SAMLAssertion=tokens.get("saml", "AAAA"))
    yield iam("CreateUser", UserName="fuzz", Path="/a/")
    yield iam("CreateGroup", GroupName="fuzz")
    yield iam("AddUserToGroup", GroupName="fuzz", UserName="fuzz")
    yield iam("PutUserPolicy", UserName="fuzz", PolicyName="a", PolicyDocument=POLICY)
    yield iam("PutRolePolicy", RoleName="fuzz", PolicyName="a", PolicyDocument=POLICY)
    yield iam("UpdateAssumeRolePolicy", RoleName="fuzz", PolicyDocument=TRUST)
    yield iam("CreatePolicy", PolicyName="fuzz", PolicyDocument=POLICY, Description="a")
    yield iam("CreatePolicyVersion", PolicyArn=arn + "policy/fuzz", PolicyDocument=POLICY, SetAsDefault="true")
    yield iam("AttachRolePolicy", RoleName="fuzz", PolicyArn="arn:aws:iam::aws:policy/ReadOnlyAccess")
    yield iam("PutUserPermissionsBoundary", UserName="fuzz", PermissionsBoundary=arn + "policy/fuzz")
    yield iam("SimulateCustomPolicy", PolicyInputList_member_1=POLICY, ActionNames_member_1="s3:GetObject", ResourceArns_member_1="arn:aws:s3:::fuzz/a",
              ContextEntries_member_1_ContextKeyName="aws:CurrentTime", ContextEntries_member_1_ContextKeyType="date",
              ContextEntries_member_1_ContextKeyValues_member_1="2026-01-01T00:00:00Z", MaxItems="10", CallerArn=arn + "user/fuzz")
    yield iam("SimulatePrincipalPolicy", PolicySourceArn=arn + "role/fuzz", ActionNames_member_1="s3:GetObject")
    yield iam("CreateAccessKey", UserName="fuzz")
    yield iam("CreateOpenIDConnectProvider", Url="https://a.example", ClientIDList_member_1="a", ThumbprintList_member_1="a" * 40)
    yield iam("CreateSAMLProvider", Name="fuzz", SAMLMetadataDocument="<EntityDescriptor/>" * 80)
    yield iam("CreateLoginProfile", UserName="fuzz", Password="Aa1!aaaaaaaa")
    for action in ["ListUsers", "ListRoles", "ListPolicies", "ListGroups", "GetAccountAuthorizationDetails", "ListAccountAliases", "GetAccountSummary"]:
        yield iam(action, MaxItems="1", PathPrefix="/")
    yield iam("GetRole", RoleName="fuzz")
    yield iam("GetUser", UserName="fuzz")
    yield iam("TagUser", UserName="fuzz", Tags_member_1_Key="a", Tags_member_1_Value="b")
    yield iam("CreateInstanceProfile", InstanceProfileName="fuzz")
    yield iam("UploadServerCertificate", ServerCertificateName="a", CertificateBody="a", PrivateKey="b")


def alibaba():
    photos = "/harbour-photos"
    yield Request("oss PutObject", "PUT", photos + "/a", [], [
        ("Content-Type", "text/plain"), ("x-oss-meta-a", "b"), ("x-oss-object-acl", "private"), ("x-oss-storage-class", "Standard"), ("x-oss-tagging", "a=b")], b"text", OSS)
    yield Request("oss GetObject", "GET", photos + "/a", [("response-content-type", "text/html")], [("Range", "bytes=0-1"), ("x-oss-range-behavior", "standard")], sign=OSS)
    yield Request("oss AppendObject", "POST", photos + "/log", [("append", None), ("position", "0")], [("x-oss-hash-crc64ecma", "1")], b"text", OSS)
    yield Request("oss AppendObject", "POST", photos + "/log", [("append", None), ("position", "0")], [("Content-Type", "text/plain")], b"text", OSS)
    yield Request("oss CopyObject", "PUT", photos + "/copy", [], [("x-oss-copy-source", "/harbour-photos/a"), ("x-oss-metadata-directive", "REPLACE")], sign=OSS)
    yield Request("oss PutSymlink", "PUT", photos + "/link", [("symlink", None)], [("x-oss-symlink-target", "a")], sign=OSS)
    yield Request("oss GetSymlink", "GET", photos + "/link", [("symlink", None)], sign=OSS)
    yield Request("oss callback", "PUT", photos + "/called", [], [
        ("x-oss-callback", base64.b64encode(b'{"callbackUrl":"http://127.0.0.1:1/a","callbackBody":"a=${object}","callbackBodyType":"application/json"}').decode()),
        ("x-oss-callback-var", base64.b64encode(b'{"x:a":"b"}').decode())], b"text", OSS)
    yield Request("oss ListObjectsV2", "GET", photos, [("list-type", "2"), ("prefix", ""), ("max-keys", "2"), ("delimiter", "/"), ("encoding-type", "url")], sign=OSS)
    yield Request("oss ListObjectVersions", "GET", photos, [("versions", None), ("key-marker", ""), ("max-keys", "2")], sign=OSS)
    yield Request("oss InitiateMultipartUpload", "POST", photos + "/m", [("uploads", None)], sign=OSS)
    yield Request("oss UploadPart", "PUT", photos + "/m", [("partNumber", "1"), ("uploadId", "UPLOAD")], [], b"text", OSS)
    yield Request("oss CompleteMultipartUpload", "POST", photos + "/m", [("uploadId", "UPLOAD")], XML,
                  b"<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>a</ETag></Part></CompleteMultipartUpload>", OSS)
    yield Request("oss DeleteMultipleObjects", "POST", photos, [("delete", None)], XML, b"<Delete><Quiet>true</Quiet><Object><Key>z</Key></Object></Delete>", OSS)
    for kind, document in {
            "CSV": "<SelectRequest><Expression>c2VsZWN0ICogZnJvbSBvc3NvYmplY3QgbGltaXQgMQ==</Expression><InputSerialization><CSV><FileHeaderInfo>None</FileHeaderInfo>"
                   "<RecordDelimiter>Cg==</RecordDelimiter></CSV></InputSerialization><OutputSerialization><CSV/></OutputSerialization></SelectRequest>",
            "JSON": "<SelectRequest><Expression>c2VsZWN0ICogZnJvbSBvc3NvYmplY3QgcyB3aGVyZSBzLmE9MQ==</Expression><InputSerialization><JSON><Type>LINES</Type></JSON>"
                    "</InputSerialization><OutputSerialization><JSON/></OutputSerialization></SelectRequest>"}.items():
        yield Request(f"oss SelectObject {kind}", "POST", photos + "/a", [("x-oss-process", f"{kind.lower()}/select")], XML, document.encode(), OSS)
        yield Request(f"oss CreateSelectObjectMeta {kind}", "POST", photos + "/a", [("x-oss-process", f"{kind.lower()}/meta")], XML,
                      b"<CsvMetaRequest><InputSerialization><CSV/></InputSerialization></CsvMetaRequest>", OSS)
    for name, document in {
            "acl": "", "tagging": BUCKET_CONFIGURATIONS["tagging"], "cors": BUCKET_CONFIGURATIONS["cors"],
            "lifecycle": "<LifecycleConfiguration><Rule><ID>a</ID><Prefix>l/</Prefix><Status>Enabled</Status><Expiration><Days>3</Days></Expiration></Rule></LifecycleConfiguration>",
            "referer": "<RefererConfiguration><AllowEmptyReferer>true</AllowEmptyReferer><RefererList><Referer>http://a</Referer></RefererList></RefererConfiguration>",
            "website": "<WebsiteConfiguration><IndexDocument><Suffix>i</Suffix></IndexDocument></WebsiteConfiguration>",
            "versioning": "<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>",
            "worm": "<InitiateWormConfiguration><RetentionPeriodInDays>1</RetentionPeriodInDays></InitiateWormConfiguration>",
            "logging": "<BucketLoggingStatus><LoggingEnabled><TargetBucket>harbour-photos</TargetBucket><TargetPrefix>l</TargetPrefix></LoggingEnabled></BucketLoggingStatus>",
            "inventory": "<InventoryConfiguration><Id>a</Id></InventoryConfiguration>",
            "encryption": "<ServerSideEncryptionRule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault></ServerSideEncryptionRule>"}.items():
        method = "POST" if name == "worm" else "PUT"
        headers = [("x-oss-acl", "private")] if name == "acl" else XML
        yield Request(f"oss Put {name}", method, photos, [(name, None)], headers, document.encode(), OSS)
        yield Request(f"oss Get {name}", "GET", photos, [(name, None)], sign=OSS)
    yield Request("oss PutBucketPolicy", "PUT", photos, [("policy", None)], JSON, json.dumps({"Version": "1", "Statement": [{
        "Effect": "Allow", "Principal": ["1987654321098765"], "Action": ["oss:GetObject"], "Resource": ["acs:oss:*:*:harbour-photos/*"]}]}).encode(), OSS)
    yield form(photos, "oss")
    for name in ["bucketInfo", "stat", "location"]:
        yield Request(f"oss {name}", "GET", photos, [(name, None)], sign=OSS)

    def call(action, version, **fields):
        return Request(action, "GET", "/", [("Action", action), ("Version", version)] + list(fields.items()), sign=rpc)

    role = "acs:ram::1987654321098765:role/app-user"
    yield call("AssumeRole", "2015-04-01", RoleArn=role, RoleSessionName="a-b", DurationSeconds="900", Policy=RAM_POLICY)
    yield call("GetCallerIdentity", "2015-04-01")
    yield call("AssumeRoleWithOIDC", "2015-04-01", RoleArn=role, OIDCProviderArn="acs:ram::1987654321098765:oidc-provider/harbour", OIDCToken="a.b.c",
               RoleSessionName="ab")
    yield call("AssumeRoleWithSAML", "2015-04-01", RoleArn=role, SAMLProviderArn="acs:ram::1987654321098765:saml-provider/harbour", SAMLAssertion="AAAA")
    yield call("CreateUser", "2015-05-01", UserName="fuzz", DisplayName="a", Email="a@b.c", MobilePhone="86-18600008888")
    yield call("CreateRole", "2015-05-01", RoleName="fuzz", AssumeRolePolicyDocument=json.dumps({
        "Version": "1", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"RAM": ["acs:ram::1987654321098765:root"]}}]}))
    yield call("CreatePolicy", "2015-05-01", PolicyName="fuzz", PolicyDocument=RAM_POLICY, Description="a")
    yield call("CreatePolicyVersion", "2015-05-01", PolicyName="fuzz", PolicyDocument=RAM_POLICY, SetAsDefault="true")
    yield call("AttachPolicyToUser", "2015-05-01", PolicyType="Custom", PolicyName="fuzz", UserName="fuzz")
    yield call("CreateAccessKey", "2015-05-01", UserName="fuzz")
    yield call("SetPasswordPolicy", "2015-05-01", MinimumPasswordLength="10", RequireSymbols="true", MaxPasswordAge="90")
    yield call("SetSecurityPreference", "2015-05-01", EnableSaveMFATicket="true", LoginNetworkMasks="10.0.0.0/8", LoginSessionDuration="6")
    yield call("CreateLoginProfile", "2015-05-01", UserName="fuzz", Password="Aa1!aaaaaaaa")
    for action in ["ListUsers", "ListRoles", "ListPolicies", "ListGroups", "GetPasswordPolicy", "GetAccountAlias"]:
        yield call(action, "2015-05-01", MaxItems="1", PolicyType="System")
    yield call("CreateOIDCProvider", "2019-08-15", OIDCProviderName="fuzz", IssuerUrl="https://a.example", ClientIds="a,b", Fingerprints="a" * 40)
    yield call("ListUsers", "2019-08-15", MaxItems="1")
    yield Request("app server", "GET", "/distribute-token.json", [("user", "alice"), ("password", "alice-password"), ("bucket", "a")])


def providers(tokens):
    basic = "Basic " + base64.b64encode(b"web-app:web-app-client-secret").decode()
    authorize = [("response_type", "code"), ("client_id", "web-app"), ("redirect_uri", "http://localhost:8765/callback"), ("scope", "openid profile email"),
                 ("state", "s"), ("nonce", "n"), ("code_challenge", "a" * 43), ("code_challenge_method", "S256"), ("prompt", "login"), ("max_age", "10"),
                 ("claims", '{"id_token":{"email":{"essential":true}}}'), ("ui_locales", "de"), ("acr_values", "1")]
    company = "/idp/company"
    yield Request("authorize", "GET", company + "/authorize", authorize)
    yield Request("authorize", "POST", company + "/authorize", form=authorize)
    yield Request("authorize with an object", "GET", company + "/authorize", authorize + [("request", "eyJhbGciOiJub25lIn0.eyJzY29wZSI6Im9wZW5pZCJ9.")])
    yield Request("login", "POST", company + "/login", form=authorize + [("username", "alice"), ("password", "alice-password")])
    for grant, fields in {
            "authorization_code": [("code", "a"), ("redirect_uri", "http://localhost:8765/callback"), ("code_verifier", "a" * 43)],
            "refresh_token": [("refresh_token", "a"), ("scope", "openid")], "client_credentials": [("scope", "openid")],
            "password": [("username", "alice"), ("password", "alice-password"), ("scope", "openid")],
            "urn:ietf:params:oauth:grant-type:device_code": [("device_code", "a")],
            "urn:ietf:params:oauth:grant-type:jwt-bearer": [("assertion", tokens.get("company", "a.b.c"))],
            "urn:ietf:params:oauth:grant-type:token-exchange": [("subject_token", tokens.get("company", "a.b.c")), ("subject_token_type", "urn:ietf:params:oauth:token-type:id_token")]}.items():
        yield Request(f"token {grant}", "POST", company + "/token", [], [("Authorization", basic), ("DPoP", "a.b.c")], form=[("grant_type", grant)] + fields)
        yield Request(f"token {grant}", "POST", company + "/token", [], [("Authorization", basic)], form=[("grant_type", grant)] + fields)
        yield Request(f"Keycloak's token {grant}", "POST", "/idp/demorealm/protocol/openid-connect/token", form=[("grant_type", grant), ("client_id", "my_client"),
                      ("client_secret", "my_client_secret")] + [("username", "testuser"), ("password", "password")] + fields)
    for path in ["introspect", "revoke"]:
        yield Request(path, "POST", f"{company}/{path}", [], [("Authorization", basic)], form=[("token", tokens.get("access", "a")), ("token_type_hint", "access_token")])
    yield Request("userinfo", "GET", company + "/userinfo", [], [("Authorization", f"Bearer {tokens.get('access', 'a')}")])
    yield Request("discovery", "GET", company + "/.well-known/openid-configuration")
    yield Request("keys", "GET", company + "/jwks")
    yield Request("logout", "GET", company + "/logout", [("id_token_hint", tokens.get("company", "a.b.c")), ("post_logout_redirect_uri", "http://localhost:8765/"), ("state", "a")])
    yield Request("register", "POST", company + "/register", [], JSON, json.dumps({
        "redirect_uris": ["https://a.example/b"], "grant_types": ["authorization_code"], "response_types": ["code"], "client_name": "a", "jwks": {"keys": []},
        "token_endpoint_auth_method": "client_secret_basic", "default_max_age": 10, "contacts": ["a@b.c"], "subject_type": "pairwise"}).encode())
    yield Request("device", "POST", company + "/device", [], [("Authorization", basic)], form=[("scope", "openid")])
    yield Request("device authorization", "POST", company + "/device_authorization", [], [("Authorization", basic)], form=[("scope", "openid")])
    yield Request("pushed request", "POST", company + "/par", [], [("Authorization", basic)], form=authorize)
    yield Request("WebFinger", "GET", "/.well-known/webfinger", [("resource", "acct:alice@company.example"), ("rel", "http://openid.net/specs/connect/1.0/issuer")])
    for method in ["GET", "POST"]:
        fields = [("SAMLRequest", "fZFNT8MwDIb/SpR7+zEKaqO1U2GaNAlQtQIO3EzqQaQ2KXHKPv49XccHQwIfLL1O/OaxPZ3t2oa9oyNldMqjIOQMtTS10i8pf7hfeDGfZVOCtulEnnrdq1e89YjEs+y7sTCa+hZdhe5dSXxc36b81bmORBBAa3rtAhNoVNBWoLWjYPAMqqpcLFZLjNVDN9LgDs4/zWvTKM3ZfIBQGtxI/NkM4TOLZdh0nfTlf2N5XNsU80vUWdLkwl"),
                  ("RelayState", "a"), ("SigAlg", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"), ("Signature", "AAAA")]
        for path in ["/idp/company/saml/sso", "/idp/company/saml", "/idp/company/saml/slo", "/idp/company/saml/logout"]:
            yield Request(f"SAML {path}", method, path, fields if method == "GET" else [], form=fields if method == "POST" else None)
    yield Request("SAML metadata", "GET", "/idp/company/saml/metadata")
    yield Request("SAML unsolicited", "GET", "/idp/company/saml/init", [("sp", "urn:amazon:webservices"), ("RelayState", "a")])
    facebook = tokens.get("facebook", "a")
    for version in ["", "/v23.0"]:
        yield Request("Facebook me", "GET", f"/idp/facebook{version}/me", [("fields", "id,name,picture{url},email"), ("access_token", facebook), ("appsecret_proof", "a")])
        yield Request("Facebook dialog", "GET", f"/idp/facebook{version}/dialog/oauth", [("client_id", "1234567890123456"), ("redirect_uri", "http://localhost:8765/callback"),
                      ("state", "a"), ("scope", "email,public_profile"), ("response_type", "code token"), ("auth_type", "rerequest")])
        yield Request("Facebook token", "GET", f"/idp/facebook{version}/oauth/access_token", [("client_id", "1234567890123456"), ("client_secret", "a"), ("code", "b"),
                      ("redirect_uri", "http://localhost:8765/callback"), ("grant_type", "fb_exchange_token"), ("fb_exchange_token", facebook)])
        yield Request("Facebook debug", "GET", f"/idp/facebook{version}/debug_token", [("input_token", facebook), ("access_token", "1234567890123456|a")])
        yield Request("Facebook batch", "POST", f"/idp/facebook{version}/", form=[("access_token", facebook), ("batch", '[{"method":"GET","relative_url":"me?fields=id"}]')])
    yield Request("Facebook permissions", "DELETE", "/idp/facebook/me/permissions/email", [("access_token", facebook)])
    amazon = tokens.get("amazon", "a")
    yield Request("Amazon profile", "GET", "/idp/amazon/user/profile", [], [("Authorization", f"Bearer {amazon}"), ("x-amz-access-token", amazon)])
    yield Request("Amazon token info", "GET", "/idp/amazon/auth/o2/tokeninfo", [("access_token", amazon)])
    yield Request("Amazon token", "POST", "/idp/amazon/auth/o2/token", form=[("grant_type", "authorization_code"), ("code", "a"), ("client_id", "amzn1.application-oa2-client.a"),
                  ("client_secret", "b"), ("redirect_uri", "http://localhost:8765/callback"), ("code_verifier", "a" * 43)])
    yield Request("Amazon device", "POST", "/idp/amazon/auth/o2/create/codepair", form=[("response_type", "device_code"), ("client_id", "a"), ("scope", "profile")])
    yield Request("Amazon consent", "GET", "/idp/amazon/ap/oa", [("client_id", "a"), ("scope", "profile postal_code"), ("response_type", "code"), ("redirect_uri", "http://localhost:8765/callback")])
    google = tokens.get("google", "a.b.c")
    yield Request("Google token info", "GET", "/idp/google/tokeninfo", [("id_token", google)])
    yield Request("Google consent", "GET", "/idp/google/o/oauth2/v2/auth", authorize)
    yield Request("Google token", "POST", "/idp/google/token", form=[("grant_type", "refresh_token"), ("refresh_token", "a"), ("client_id", "b"), ("client_secret", "c")])
    yield Request("Google userinfo", "GET", "/idp/google/v1/userinfo", [("alt", "json")], [("Authorization", f"Bearer {google}")])
    yield Request("Google device", "POST", "/idp/google/device/code", form=[("client_id", "a"), ("scope", "email")])


def mobile(tokens):
    backend = [("Oracle-Mobile-Backend-ID", "9a6d3c1f-0e84-4b27-8d91-5f2e7c4b6a83")]
    basic = backend + [("Authorization", "Basic " + base64.b64encode(b"tessa:tessa-password").decode())]
    anonymous = backend + [("Authorization", "Basic " + base64.b64encode(b"RIDGELINE_SKIERS_MOBILE_ANONYMOUS_APPID:skiers-anonymous").decode())]
    social = anonymous + [("Oracle-Mobile-Social-Identity-Provider", "facebook"), ("Oracle-Mobile-Social-Access-Token", tokens.get("frida", "a"))]
    for credentials in [basic, anonymous, social, backend]:
        yield Request("mobile user", "GET", "/mobile/platform/users/login", [("a", "1")], credentials)
        yield Request("mobile user's own", "GET", "/mobile/platform/users/~", [("fields", "id")], credentials)
        yield Request("mobile extended", "GET", "/mobile/platform/extended/users", [("q", "a"), ("limit", "1"), ("offset", "0")], credentials)
        yield Request("mobile analytics", "POST", "/mobile/platform/analytics/events", [], credentials + JSON + [("Oracle-Mobile-Application-Key", "a"), ("Oracle-Mobile-Analytics-Session-ID", "b")],
                      json.dumps([{"type": "system", "name": "sessionStart", "timestamp": "2026-01-01T00:00:00.000Z"}, {
                          "type": "custom", "name": "a", "timestamp": "2026-01-01T00:00:00.000Z", "properties": {"a": "b"}, "sessionID": "b"}]).encode())
        yield Request("mobile device", "POST", "/mobile/platform/devices/register", [], credentials + JSON, json.dumps({
            "notificationToken": "a", "mobileClient": {"id": "b", "version": "1.0", "platform": "ANDROID"}, "notificationProvider": "FCM"}).encode())
        yield Request("mobile storage", "PUT", "/mobile/platform/storage/collections/manuals/objects/a", [("user", "x")], credentials + [
            ("Content-Type", "text/plain"), ("Oracle-Mobile-Name", "a"), ("If-Match", '"1"')], b"text")
        yield Request("mobile storage", "POST", "/mobile/platform/storage/collections/manuals/objects", [], credentials + [("Content-Type", "text/plain")], b"text")
        yield Request("mobile storage", "GET", "/mobile/platform/storage/collections/manuals/objects", [("offset", "0"), ("limit", "2"), ("q", "a"), ("orderBy", "name:asc"), ("totalResults", "true")], credentials)
        yield Request("mobile storage", "GET", "/mobile/platform/storage/collections/manuals/objects/a", [], credentials + [("Range", "bytes=0-1")])
        yield Request("mobile location", "GET", "/mobile/platform/location/places", [("q", "a"), ("limit", "1"), ("inGeoFence", "1"), ("format", "short"), ("nearestTo", "gpsPoint:1.0,2.0")], credentials)
        yield Request("mobile location", "POST", "/mobile/platform/location/devices/query", [], credentials + JSON, b'{"search":"a","limit":1,"orderBy":"name:asc"}')
        yield Request("mobile custom API", "POST", "/mobile/custom/incidents/incidents", [("a", "b")], credentials + JSON, b'{"title":"a","priority":1}')
        yield Request("mobile custom API", "GET", "/mobile/custom/reports/me", [("a", "b")], credentials)
        yield Request("mobile database", "POST", "/mobile/platform/database/objects/a", [], credentials + JSON + [("Oracle-Mobile-Extra-Fields", "id")], b'[{"a":1}]')
        yield Request("mobile notification", "POST", "/mobile/system/notifications/notifications", [], credentials + JSON, b'{"message":"a","users":["b"],"sendOn":"2026-01-01T00:00:00Z"}')
        yield Request("mobile configuration", "GET", "/mobile/platform/appconfig/client", [], credentials)
    client = [("Authorization", "Basic " + base64.b64encode(b"a:b").decode())]
    for path in ["/oam/oauth2/tokens", "/mobile/platform/auth/token"]:
        for fields in [[("grant_type", "password"), ("username", "tessa"), ("password", "tessa-password")], [("grant_type", "client_credentials")],
                       [("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), ("assertion", tokens.get("ridgeline", "a.b.c"))]]:
            yield Request(f"mobile token {path}", "POST", path, [], client + [("X-USER-IDENTITY-DOMAIN-NAME", "ridgeline")], form=fields)
    yield Request("mobile exchange", "GET", "/mobile/platform/sso/exchange-token", [("format", "json")], [("Authorization", f"Bearer {tokens.get('ridgeline', 'a.b.c')}")] + backend)
    yield Request("mobile exchange", "GET", "/mobile/platform/sso/token", [("clientID", "a"), ("format", "json"), ("redirect_uri", "http://localhost/")])
    yield Request("mobile redirect", "POST", "/mobile/platform/sso/redirect/saml", form=[("SAMLResponse", tokens.get("saml", "AAAA")), ("RelayState", "a")])
    yield Request("mobile redirect", "GET", "/mobile/platform/sso/redirect", [("code", "a"), ("state", "b"), ("error", "c")])


def vending():
    uid, key = "0123456789abcdef0123456789abcdef", "00112233445566778899aabbccddeeff"
    time = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    signature = base64.b64encode(hmac_of(key.encode(), time)).decode()
    for machine in ["tvm/anonymous", "tvm/identity"]:
        yield Request("registerdevice", "GET", f"/{machine}/registerdevice", [("uid", "a" * 32), ("key", "b" * 32)])
        yield Request("gettoken", "GET", f"/{machine}/gettoken", [("uid", uid), ("timestamp", time), ("signature", signature)])
        yield Request("login", "GET", f"/{machine}/login", [("uid", uid), ("username", "alice"), ("timestamp", time), ("signature", signature)])
        yield Request("registeruser", "POST", f"/{machine}/registeruser", form=[("username", "carol"), ("password", "carol-password")])


def control(tokens):
    def call(method, path, document=None, query=()):
        return Request(f"control {method} {path.split('/')[0]}", method, f"/_virga/{path}", list(query), JSON if document is not None else [],
                       b"" if document is None else json.dumps(document).encode())

    yield call("GET", "health")
    yield call("GET", "clock")
    yield call("POST", "clock", {"age": "PT1S"})
    yield call("POST", "clock", {"set": "2026-01-01T00:00:00Z"})
    yield call("POST", "clock", {"freeze": True})
    yield call("POST", "clock", {"resume": True})
    yield call("POST", "tokens", {"provider": "company", "user": "alice", "client": "web-app", "nonce": "a", "scope": "openid", "fault": "expired", "claims": {"a": [1, {"b": 2}]}})
    yield call("POST", "tokens", {"provider": "facebook", "user": "alice"})
    yield call("POST", "tokens", {"provider": "company", "user": "alice", "serviceProvider": "urn:amazon:webservices", "attributes": {"a": ["b"]}})
    yield call("GET", "providers/company/service-providers")
    yield call("PUT", "providers/company/service-providers", {"entityID": "https://a.example", "assertionConsumerServices": ["https://a.example/acs"], "attributes": [{"name": "a", "claim": "b"}]})
    yield call("DELETE", "providers/company/service-providers", None, [("entityID", "https://a.example")])
    yield call("POST", "certificates", {"subject": {"CN": "a"}, "dnsNames": ["a.example"], "uris": ["spiffe://a/b"], "key": "EC", "lifetime": 60})
    yield call("POST", "certificates/revoke", {"serial": "01ab", "trustAnchor": "a"})
    yield call("GET", "keys", None, [("provider", "company")])
    yield call("POST", "keys/rotate", {"provider": "company", "overlap": "PT1H", "algorithm": "RS256", "publish": "before"})
    yield call("POST", "explain", {"as": "arn:aws:iam::000000000000:user/developer", "action": "s3:GetObject", "resource": "arn:aws:s3:::personal-files/a",
                                   "context": {"aws:SourceIp": "10.0.0.1"}})
    for kind in ["backends", "realms", "apis", "certificates", "saml-issuers", "collections", "policies", "roles", "locations", "events", "devices", "notifications"]:
        yield call("GET", f"mobile/{kind}")
    yield call("PUT", "mobile/backends/Fuzz(1.0)", {"clientID": "a", "clientSecret": "b", "realm": "Default"})
    yield call("PUT", "mobile/apis/fuzz(1.0)", {"endpoints": [{"path": "a", "method": "GET", "status": 200, "json": {"a": "${user}"}}]})
    yield call("PUT", "mobile/realms/fuzz", {"users": [{"name": "a", "password": "b"}], "properties": [{"name": "c", "type": "string"}]})
    yield call("PUT", "mobile/realms/fuzz/users/a", {"password": "b", "roles": ["c"]})
    yield call("PUT", "mobile/policies/Security_AuthTokenConfiguration", {"value": '{"issuers":[{"issuerName":"a"}]}'})
    yield call("PUT", "mobile/locations", {"places": [{"name": "a", "gpsPoint": {"latitude": 1.5, "longitude": 2}}]})
    yield call("GET", "journal", None, [("limit", "5"), ("status", "200"), ("path", "/"), ("face", "s3"), ("request_id", "a"), ("caller", "b")])
    yield call("GET", "faults")


def everything(tokens):
    for part in [s3(), query_services(tokens), alibaba(), providers(tokens), mobile(tokens), recorded(tokens), vending(), control(tokens)]:
        yield from part
