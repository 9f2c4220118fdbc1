"""What decides a forwarded call, and what reaches the other server. The G numbers are those of `Tests/Conformance/Gateway.md`."""

import http.client
import http.server
import itertools
import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
import requests
from botocore.awsrequest import AWSRequest
from botocore.auth import SigV4Auth
from botocore.config import Config
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from clients import ROOT, assume, client, keys_of
from cloud import ACCOUNT, REGION, Cloud, clean_environment, free_port, run
from forwarding import allow, closed_port, document, moto, user

ARN = f"{REGION}:{ACCOUNT}"
names = (f"item{number}" for number in itertools.count(1))


@pytest.fixture(scope="module")
def upstream(environment_of_the_tests):
    with moto() as url:
        yield url


@pytest.fixture(scope="module")
def cloud(upstream):
    with Cloud.ephemeral("--forward", f"sqs,sns,dynamodb={upstream}", "--forward", f"*={upstream}") as cloud:
        yield cloud


def code_of(call, **parameters):
    """The code of the refusal of a call, or None."""
    try:
        call(**parameters)
    except ClientError as error:
        return error.response["Error"]["Code"]
    return None


def sent(cloud, service, method="POST", path="/", body=b"", headers=(), **credentials):
    """Sends a signed request, and returns the response."""
    keys = ROOT | credentials
    request = AWSRequest(method, cloud.url + path, data=body, headers=dict(headers))
    SigV4Auth(Credentials(keys["aws_access_key_id"], keys["aws_secret_access_key"]), service, REGION).add_auth(request)
    return requests.request(method, cloud.url + path, data=body, headers=dict(request.headers.items()))


def made_table(cloud, **more):
    name = next(names)
    attributes = ["customer", *more.pop("attributes", [])]
    client(cloud, "dynamodb").create_table(
        TableName=name, AttributeDefinitions=[{"AttributeName": each, "AttributeType": "S"} for each in attributes],
        KeySchema=[{"AttributeName": "customer", "KeyType": "HASH"}], BillingMode="PAY_PER_REQUEST", **more)
    return name, f"arn:aws:dynamodb:{ARN}:table/{name}"


def test_g1_other_services_answer_as_before(cloud):
    assert code_of(client(cloud, "glue").get_databases) == "UnknownOperationException"
    assert client(cloud, "sts").get_caller_identity()["Account"] == ACCOUNT
    assert "personal-files" in [bucket["Name"] for bucket in client(cloud, "s3").list_buckets()["Buckets"]]


@pytest.mark.parametrize("rule, words", [
    ("s3=http://127.0.0.1:1", "Virga serves it"), ("sqs,iam=http://127.0.0.1:1", "Virga serves it"),
    ("sts=http://127.0.0.1:1", "Virga serves it"), ("sqs", "must be SERVICES=URL"), ("sqs=127.0.0.1:1", "needs a URL"),
    ("glue=http://127.0.0.1:1", "does not know which permissions"), ("sqs,sqs=http://127.0.0.1:1", "names sqs twice")])
def test_g5_rules_that_cannot_hold_end_the_start(rule, words):
    result = run("serve", "--port", "0", "--forward", rule)
    assert result.returncode == 64 and words in result.stderr


def test_g5_nothing_is_forwarded_without_requests_to_other_servers():
    result = run("serve", "--port", "0", "--no-outbound", "--forward", "sqs=http://127.0.0.1:1")
    assert result.returncode == 64 and "cannot be combined" in result.stderr


def test_g1_the_variable_has_several_rules(upstream):
    rules = f"sqs,sns={upstream},dynamodb=http://127.0.0.1:{closed_port()}"
    with Cloud.ephemeral(VIRGA_FORWARD=rules) as cloud:
        assert client(cloud, "sns").create_topic(Name=next(names))
        assert client(cloud, "sqs").create_queue(QueueName=next(names))
        assert code_of(client(cloud, "dynamodb").list_tables) == "InternalServerError"
        assert code_of(client(cloud, "kms").list_keys) == "UnknownOperationException"


def test_g26_urls_of_queues_lead_back(cloud):
    sqs, name = client(cloud, "sqs"), next(names)
    url = sqs.create_queue(QueueName=name)["QueueUrl"]
    assert url == f"{cloud.url}/{ACCOUNT}/{name}"
    assert sqs.get_queue_url(QueueName=name)["QueueUrl"] == url
    assert url in sqs.list_queues()["QueueUrls"]


def test_g3_older_sdks_send_forms_to_the_path_of_the_queue(cloud):
    name = next(names)
    client(cloud, "sqs").create_queue(QueueName=name)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    body = b"Action=SendMessage&Version=2012-11-05&MessageBody=hello"
    answer = sent(cloud, "sqs", path=f"/{ACCOUNT}/{name}", body=body, headers=form)
    assert answer.status_code == 200 and "<MessageId>" in answer.text
    keys = user(cloud, allow("sqs:*", f"arn:aws:sqs:{ARN}:other"))
    answer = sent(cloud, "sqs", path=f"/{ACCOUNT}/{name}", body=body, headers=form, **keys)
    assert answer.status_code == 403 and "<Code>AccessDenied</Code>" in answer.text


def test_g8_a_presigned_call(cloud):
    sns = client(cloud, "sns", config=Config(signature_version="v4"))
    url = sns.generate_presigned_url("list_topics", HttpMethod="GET")
    assert requests.get(url).status_code == 200
    assert requests.get(url.replace("ListTopics", "ListSubscriptions")).status_code == 403


def test_g4_unsigned_calls_do_not_reach_the_upstream(cloud):
    answer = requests.post(
        cloud.url, b"{}", headers={"X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0"})
    assert answer.status_code == 400 and "MissingAuthenticationTokenException" in answer.text
    answer = requests.post(cloud.url, {"Action": "ListTopics", "Version": "2010-03-31"})
    assert answer.status_code == 403 and "<Code>MissingAuthenticationToken</Code>" in answer.text


def test_g9_a_web_identity_and_a_federated_user(cloud):
    keys = keys_of(assume(cloud, "company", cloud.token("company", "alice")))
    with pytest.raises(ClientError) as caught:
        client(cloud, "sqs", **keys).list_queues()
    assert "assumed-role/personal-files-company/tester is not authorized to perform: sqs:listqueues" in str(caught.value)
    client(cloud, "iam").put_role_policy(
        RoleName="personal-files-company", PolicyName="queues", PolicyDocument=document(allow("sqs:ListQueues", "*")))
    assert code_of(client(cloud, "sqs", **keys).list_queues) is None
    sts = client(cloud, "sts", **user(cloud, allow(["sts:GetFederationToken", "sqs:*"], "*")))
    federated = keys_of(sts.get_federation_token(Name="bob", Policy=document(allow("sqs:ListQueues", "*"))))
    assert code_of(client(cloud, "sqs", **federated).list_queues) is None
    assert code_of(client(cloud, "sqs", **federated).create_queue, QueueName=next(names)) == "AccessDenied"


def test_g13_one_denial_refuses_a_transaction(cloud):
    (mine, arn), (other, _) = made_table(cloud), made_table(cloud)
    puts = [{"Put": {"TableName": table, "Item": {"customer": {"S": "a"}}}} for table in [mine, other]]
    dynamodb = client(cloud, "dynamodb", **user(cloud, allow("dynamodb:PutItem", arn)))
    assert code_of(dynamodb.transact_write_items, TransactItems=puts) == "AccessDeniedException"
    assert client(cloud, "dynamodb").scan(TableName=mine)["Count"] == 0
    assert code_of(dynamodb.transact_write_items, TransactItems=puts[:1]) is None
    assert client(cloud, "dynamodb").scan(TableName=mine)["Count"] == 1


def test_g14_the_table_of_a_statement(cloud):
    (mine, arn), (other, _) = made_table(cloud), made_table(cloud)
    dynamodb = client(cloud, "dynamodb", **user(cloud, allow("dynamodb:PartiQLSelect", arn)))
    assert code_of(dynamodb.execute_statement, Statement=f'SELECT * FROM "{mine}"') is None
    assert code_of(dynamodb.execute_statement, Statement=f'SELECT * FROM "{other}"') == "AccessDeniedException"
    assert code_of(dynamodb.execute_statement, Statement=f"DELETE FROM \"{mine}\" WHERE customer='a'") == "AccessDeniedException"


def test_g15_passing_a_role_is_decided(cloud):
    role = f"arn:aws:iam::{ACCOUNT}:role/worker"
    definition = json.dumps({"StartAt": "End", "States": {"End": {"Type": "Succeed"}}})

    def created(*statements):
        states = client(cloud, "stepfunctions", **user(cloud, allow("states:CreateStateMachine", "*"), *statements))
        return code_of(states.create_state_machine, name=next(names), definition=definition, roleArn=role)

    def passing(service):
        return allow("iam:PassRole", role, Condition={"StringEquals": {"iam:PassedToService": service}})

    assert created() == "AccessDeniedException"
    assert created(passing("lambda.amazonaws.com")) == "AccessDeniedException"
    assert created(passing("states.amazonaws.com")) is None


def test_g16_the_partition_key_of_the_table_and_of_an_index(cloud):
    index = {
        "IndexName": "by-day", "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}], "Projection": {"ProjectionType": "ALL"}}
    table, arn = made_table(cloud, attributes=["day"], GlobalSecondaryIndexes=[index])
    condition = {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["ann"]}}
    dynamodb = client(cloud, "dynamodb", **user(cloud, allow("dynamodb:*", [arn, f"{arn}/index/*"], Condition=condition)))
    assert code_of(dynamodb.put_item, TableName=table, Item={"customer": {"S": "ann"}}) is None
    assert code_of(dynamodb.put_item, TableName=table, Item={"customer": {"S": "bob"}}) == "AccessDeniedException"

    def queried(attribute, value, **more):
        return code_of(
            dynamodb.query, TableName=table, KeyConditionExpression="#k = :v", ExpressionAttributeNames={"#k": attribute},
            ExpressionAttributeValues={":v": {"S": value}}, **more)

    assert queried("customer", "ann") is None
    assert queried("customer", "bob") == "AccessDeniedException"
    assert queried("day", "ann", IndexName="by-day") is None
    assert queried("day", "monday", IndexName="by-day") == "AccessDeniedException"
    # The key cannot be found in a statement.
    code = code_of(dynamodb.execute_statement, Statement=f"SELECT * FROM \"{table}\" WHERE customer='bob'")
    assert code == "ValidationException"


def test_g12_a_moved_alias_counts_at_once(cloud):
    kms = client(cloud, "kms")
    first, second = (kms.create_key()["KeyMetadata"] for _ in range(2))
    alias = f"alias/{next(names)}"
    kms.create_alias(AliasName=alias, TargetKeyId=first["KeyId"])
    mine = client(cloud, "kms", **user(cloud, allow("kms:Encrypt", first["Arn"])))
    assert code_of(mine.encrypt, KeyId=alias, Plaintext=b"a") is None
    kms.update_alias(AliasName=alias, TargetKeyId=second["KeyId"])
    assert code_of(mine.encrypt, KeyId=alias, Plaintext=b"a") == "AccessDeniedException"


def test_g19_a_queue_of_another_account(cloud):
    sqs = client(cloud, "sqs", **user(cloud, allow("sqs:*", "*")))
    with pytest.raises(ClientError) as caught:
        sqs.send_message(QueueUrl=f"{cloud.url}/111122223333/orders", MessageBody="a")
    assert "because no resource-based policy allows the sqs:sendmessage action" in str(caught.value)


def test_g20_report_mode_forwards(upstream):
    with Cloud.ephemeral("--authorization", "report", "--forward", f"sqs={upstream}") as cloud:
        sqs = client(cloud, "sqs", **user(cloud))
        fields = sqs.create_queue(QueueName=next(names))["ResponseMetadata"]["HTTPHeaders"]
        assert "because no identity-based policy allows the sqs:CreateQueue action" in fields["x-virga-would-deny"]
        assert "x-virga-upstream" in fields


def test_g31_errors_on_demand_apply_first(cloud):
    queue = client(cloud, "sqs").create_queue(QueueName=next(names))["QueueUrl"]
    cloud.control("POST", "faults", {"service": "sqs", "action": "SendMessage", "error": "ThrottlingException"})
    sqs = client(cloud, "sqs")
    assert code_of(sqs.send_message, QueueUrl=queue, MessageBody="a") == "ThrottlingException"
    assert "Messages" not in sqs.receive_message(QueueUrl=queue)
    assert code_of(sqs.send_message, QueueUrl=queue, MessageBody="a") is None


def test_g35_forwarded_calls_are_counted(cloud):
    client(cloud, "sqs").list_queues()
    assert 'virga_http_requests_total{service="forwarded",status="2xx"}' in requests.get(f"{cloud.url}/_virga/metrics").text


def test_g34_explain_decides_about_forwarded_services(cloud):
    keys = user(cloud, allow("sqs:SendMessage", f"arn:aws:sqs:{ARN}:orders"))
    caller = client(cloud, "sts", **keys).get_caller_identity()["Arn"]
    question = {"as": caller, "action": "sqs:SendMessage"}
    assert cloud.control("POST", "explain", question | {"resource": f"arn:aws:sqs:{ARN}:orders"})["decision"] == "allowed"
    assert cloud.control("POST", "explain", question | {"resource": f"arn:aws:sqs:{ARN}:payments"})["decision"] == "implicitDeny"


def test_g33_run_writes_the_policy_of_all_services(upstream, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import boto3\n"
        "boto3.client('s3').list_buckets()\n"
        f"queue = boto3.client('sqs').create_queue(QueueName='{next(names)}')['QueueUrl']\n"
        "boto3.client('sqs').send_message(QueueUrl=queue, MessageBody='a')\n"
        "boto3.client('dynamodb').list_tables()\n")
    policy = tmp_path / "policy.json"
    result = run(
        "run", "--forward", f"sqs,dynamodb={upstream}", "--policy", policy, "--", sys.executable, program, AWS_DEFAULT_REGION=REGION)
    assert result.returncode == 0, result.stderr
    statements = json.loads(policy.read_text())["Statement"]
    actions = {action for statement in statements for action in [statement["Action"]]
               for action in ([action] if isinstance(action, str) else action)}
    assert {"s3:ListAllMyBuckets", "sqs:CreateQueue", "sqs:SendMessage", "dynamodb:ListTables"} <= actions
    # The same program passes with this policy, and fails without any of its statements.
    with Cloud.ephemeral("--forward", f"sqs,dynamodb={upstream}") as cloud:
        for left_out in [None, *statements]:
            keys = user(cloud, *[statement for statement in statements if statement is not left_out])
            environment = clean_environment(
                AWS_ENDPOINT_URL=cloud.url, AWS_DEFAULT_REGION=REGION, AWS_ACCESS_KEY_ID=keys["aws_access_key_id"],
                AWS_SECRET_ACCESS_KEY=keys["aws_secret_access_key"])
            ended = subprocess.run([sys.executable, program], env=environment, text=True, capture_output=True)
            assert (ended.returncode == 0) == (left_out is None), (left_out, ended.stderr)


@contextmanager
def recording(respond):
    """Yields the URL of a server that calls `respond` with each request, and a list of the requests as (path, headers, body)."""
    received = []

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            received.append((self.path, self.headers, body))
            respond(self)

        def log_message(self, *arguments):
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request, client_address):
            """Ignores a client that leaves."""

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", received
    finally:
        server.shutdown()
        server.server_close()


def answer(handler, body=b"{}", headers=()):
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in headers:
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def test_g25_g27_credentials_stay_and_answers_pass_byte_for_byte():
    body = b'{"TableNames": ["a"],  "x": 1}'
    with recording(lambda handler: answer(handler, body, [("x-amz-crc32", "1"), ("Set-Cookie", "a=b")])) as (url, received):
        with Cloud.ephemeral("--forward", f"dynamodb={url}") as cloud:
            target = {
                "X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0", "X-Virga-Note": "x",
                "Cookie": "secret", "Proxy-Authorization": "secret", "x-moto-account-id": "999999999999", "amz-sdk-request": "attempt=1"}
            got = sent(cloud, "dynamodb", body=b"{}", headers=target)
            assert got.content == body and got.headers["x-amz-crc32"] == "1" and "Set-Cookie" not in got.headers
    (path, headers, content), = received
    assert (path, content) == ("/", b"{}")
    assert headers["Authorization"].startswith(f"AWS4-HMAC-SHA256 Credential={ACCOUNT}/")
    assert headers["x-moto-account-id"] == ACCOUNT and headers["amz-sdk-request"] == "attempt=1"
    assert headers["Host"] == cloud.url.removeprefix("http://")
    assert not {"cookie", "proxy-authorization", "x-virga-note", "x-amz-security-token"} & {name.lower() for name in headers}


def memory(cloud):
    text = requests.get(f"{cloud.url}/_virga/metrics").text
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith("process_resident_memory_bytes "))


def test_g28_a_long_answer_streams_in_constant_memory():
    piece, count = b"a" * (1 << 20), 100

    def respond(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(piece) * count))
        handler.end_headers()
        for _ in range(count):
            handler.wfile.write(piece)

    with recording(respond) as (url, _), Cloud.ephemeral("--forward", f"dynamodb={url}") as cloud:
        target = {"X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0"}
        before = memory(cloud)
        assert len(sent(cloud, "dynamodb", body=b"{}", headers=target).content) == len(piece) * count
        assert memory(cloud) - before < 50 << 20


def test_g28_a_client_that_leaves_ends_the_request():
    arrived, left = threading.Event(), threading.Event()

    def respond(handler):
        arrived.set()
        # Returns once the connection is closed.
        handler.rfile.read(1)
        left.set()

    with recording(respond) as (url, _), Cloud.ephemeral("--forward", f"sqs={url}") as cloud:
        body = b"{}"
        request = AWSRequest(
            "POST", cloud.url + "/", data=body,
            headers={"X-Amz-Target": "AmazonSQS.ListQueues", "Content-Type": "application/x-amz-json-1.0"})
        SigV4Auth(Credentials("test", "test"), "sqs", REGION).add_auth(request)
        connection = http.client.HTTPConnection(cloud.url.removeprefix("http://"))
        connection.request("POST", "/", body, dict(request.headers.items()))
        assert arrived.wait()
        connection.close()
        assert left.wait()


def test_g30_a_call_waits_for_its_upstream():
    port = free_port()
    with Cloud.ephemeral("--forward", f"sqs=http://127.0.0.1:{port}", "--forward-wait", "300") as cloud:
        with ThreadPoolExecutor() as pool:
            waiting = pool.submit(client(cloud, "sqs").create_queue, QueueName=next(names))
            with moto(port):
                assert waiting.result()["QueueUrl"].startswith(cloud.url)


def test_g29_the_size_of_bodies_is_limited(upstream):
    with Cloud.ephemeral("--forward", f"sqs={upstream}", "--forward-body-limit", "1") as cloud:
        target = {"X-Amz-Target": "AmazonSQS.ListQueues", "Content-Type": "application/x-amz-json-1.0"}
        assert sent(cloud, "sqs", body=b" " * (1 << 20) + b"{}", headers=target).status_code == 413


def test_g11_unmapped_operations(cloud, upstream):
    assert code_of(client(cloud, "ssm").start_access_request, Reason="r", Targets=[{"Key": "a", "Values": ["b"]}]) == \
        "UnknownOperationException"
    with Cloud.ephemeral("--forward", f"ssm={upstream}", "--forward-unmapped", "allow") as open_cloud:
        code = code_of(client(open_cloud, "ssm").start_access_request, Reason="r", Targets=[{"Key": "a", "Values": ["b"]}])
        entry = open_cloud.control("GET", "journal?limit=1")["entries"][0]
        assert code != "UnknownOperationException" and entry["upstream"] and not entry["decisions"]


@pytest.mark.parametrize("service, path, headers, body", [
    ("dynamodb", "/moto-api/reset", {}, b""),
    ("lambda", "/moto-api/reset", {}, b""),
    ("sqs", "/", {"X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": "application/x-amz-json-1.0"}, b"{}"),
    ("sqs", "/?Action=ListQueues", {"X-Amz-Target": "AmazonSQS.ListQueues", "Content-Type": "application/x-amz-json-1.0"}, b"{}"),
    ("sqs", "/", {"X-Amz-Target": "AmazonSQS.GetQueueUrl", "Content-Type": "application/x-amz-json-1.0"},
     b'{"QueueName":"a","QueueName":"b"}'),
    ("sns", "/", {"Content-Type": "application/x-www-form-urlencoded"}, b"Action=ListTopics&Version=2010-03-31&Action=CreateTopic"),
])
def test_g41_what_could_be_read_in_two_ways_is_refused(cloud, service, path, headers, body):
    answer = sent(cloud, service, path=path, headers=headers, body=body)
    assert 400 <= answer.status_code < 500
    assert cloud.control("GET", "journal?limit=1")["entries"][0]["upstream"] is None


def test_g30_the_control_api_shows_whether_upstreams_answer(upstream):
    port = closed_port()
    with Cloud.ephemeral("--forward", f"sqs,sns={upstream}", "--forward", f"kms=http://127.0.0.1:{port}") as cloud:
        def states():
            return {each["address"]: (each["services"], each["state"], each["error"]) for each in cloud.control("GET", "info")["upstreams"]}

        address = upstream.removeprefix("http://")
        assert states() == {address: (["sns", "sqs"], "unused", None), f"127.0.0.1:{port}": (["kms"], "unused", None)}
        client(cloud, "sqs").list_queues()
        assert code_of(client(cloud, "kms").list_keys) == "InternalServerError"
        assert states() == {
            address: (["sns", "sqs"], "answering", None), f"127.0.0.1:{port}": (["kms"], "unreachable", "connection refused")}
