"""Stand-ins for the queues, topics and event bus that receive notifications in tests.

The executable posts the events of buckets to the URL of each destination's ARN. The seed contains those ARNs before the tests start, so
the stand-ins take those names from a fixed list. Calls of these services do not leave this process.
"""

import collections
import hashlib
import http.server
import itertools
import json
import queue
import threading
import uuid

REGION = "us-east-1"
COUNT = 64
# The path at which the listener of events answers for KMS.
KEY_SERVICE = "/kms"


def queue_arn(account, number):
    return f"arn:aws:sqs:{REGION}:{account}:recorded-queue-{number}"


def topic_arn(account, number):
    return f"arn:aws:sns:{REGION}:{account}:recorded-topic-{number}"


def function_arn(account, number):
    return f"arn:aws:lambda:{REGION}:{account}:function:recorded-function-{number}"


def subscription_arn(topic):
    return f"{topic}:{uuid.uuid5(uuid.NAMESPACE_URL, topic)}"


def bus_arn(account):
    return f"arn:aws:events:{REGION}:{account}:event-bus/default"


def event_targets(account, port):
    """The seed's event targets: each ARN that a stand-in issues, with the URL of `Destinations`."""
    arns = [bus_arn(account), *(arn(account, number) for arn in (queue_arn, topic_arn, function_arn) for number in range(COUNT))]
    return {arn: f"http://127.0.0.1:{port}/{arn}" for arn in arns}


class StandIn:
    """Answers calls of services that the executable does not have: a method `service_Operation` for each."""

    # The region of the last call.
    region = REGION

    def call(self, client, operation, parameters):
        """The response of a call, or None if there is no stand-in for it."""
        method = getattr(self, f"{client.meta.service_model.service_name}_{operation}", None)
        if method is None:
            return None
        self.region = client.meta.region_name
        answer = method(**parameters)
        if answer is NotImplemented:
            return None
        return {"ResponseMetadata": {"HTTPStatusCode": 200, "HTTPHeaders": {}, "RetryAttempts": 0}} | (answer or {})


class Destinations(StandIn):
    """Receives events on a listening socket, and answers the suite's calls of SQS, SNS and EventBridge."""

    def __init__(self, account, listener, functions, key_service):
        self.account = account
        self.functions = functions
        self.numbers = itertools.count()
        self.queues = collections.defaultdict(queue.Queue)
        self.attributes = collections.defaultdict(dict)
        # The seeded ARN of each queue that a test has made.
        self.seeded = {}
        self.subscriptions, self.rules, self.rule_targets = collections.defaultdict(list), {}, collections.defaultdict(list)
        destinations = self

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                refusal = None
                if self.path == KEY_SERVICE:
                    refusal = key_service.refusal(json.loads(body)["KeyId"], self.headers["Authorization"].split("/")[2])
                else:
                    destinations.receive(self.path[1:], body, self.headers.get("X-Amzn-Trace-Id"))
                answer = json.dumps(refusal or {}).encode()
                self.send_response(400 if refusal else 200)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *arguments):
                pass

        server = http.server.ThreadingHTTPServer(listener.getsockname(), Receiver, bind_and_activate=False)
        server.socket = listener
        threading.Thread(target=server.serve_forever, daemon=True).start()

    def receive(self, arn, body, trace):
        if arn.startswith("arn:aws:lambda:"):
            self.functions.receive(arn, json.loads(body))
            return
        if arn == bus_arn(self.account):
            event = json.loads(body)
            receivers = [target["Arn"] for rule, pattern in self.rules.items() if matches(pattern, event)
                         for target in self.rule_targets[rule]]
        elif arn in self.subscriptions:
            receivers = self.subscriptions[arn]
            body = json.dumps(json.loads(body) | self.signature(arn))
        else:
            receivers = [arn]
        for receiver in receivers:
            self.queues[self.seeded.get(receiver, receiver)].put((body, trace))

    def in_seed(self, parameters):
        """Parameters of an S3 call with the seeded ARN of each queue in place of the test's."""
        text = json.dumps(parameters)
        for arn, seeded in self.seeded.items():
            text = text.replace(f'"{arn}"', f'"{seeded}"')
        return json.loads(text)

    def in_test(self, configuration):
        """The opposite of `in_seed`, for a response."""
        for destination in configuration.get("QueueConfigurations", []):
            destination["QueueArn"] = next(
                (arn for arn, seeded in self.seeded.items() if seeded == destination["QueueArn"]), destination["QueueArn"])
        return configuration

    # Amazon SQS

    def url(self, arn):
        return f"https://sqs.{REGION}.amazonaws.com/{self.account}/{arn.rpartition(':')[2]}"

    def arn(self, url):
        return f"arn:aws:sqs:{REGION}:{self.account}:{url.rpartition('/')[2]}"

    def sqs_CreateQueue(self, QueueName, Attributes=None, tags=None):
        arn = f"arn:aws:sqs:{REGION}:{self.account}:{QueueName}"
        self.seeded[arn] = queue_arn(self.account, next(self.numbers))
        self.attributes[arn] = {"QueueArn": arn} | (Attributes or {})
        return {"QueueUrl": self.url(arn)}

    def sqs_GetQueueAttributes(self, QueueUrl, AttributeNames=()):
        return {"Attributes": self.attributes[self.arn(QueueUrl)]}

    def sqs_SetQueueAttributes(self, QueueUrl, Attributes):
        self.attributes[self.arn(QueueUrl)] |= Attributes

    def sqs_ReceiveMessage(self, QueueUrl, MaxNumberOfMessages=1, WaitTimeSeconds=0, AttributeNames=(), **others):
        messages = []
        try:
            while len(messages) < MaxNumberOfMessages:
                waiting = self.queues[self.seeded.get(self.arn(QueueUrl))]
                body, trace = waiting.get(timeout=0.01 if messages else max(WaitTimeSeconds, 1))
                message = {"MessageId": str(uuid.uuid4()), "ReceiptHandle": str(uuid.uuid4()), "Body": body,
                           "MD5OfBody": hashlib.md5(body.encode()).hexdigest()}
                if trace and "AWSTraceHeader" in AttributeNames:
                    message["Attributes"] = {"AWSTraceHeader": trace}
                messages.append(message)
        except queue.Empty:
            pass
        return {"Messages": messages} if messages else {}

    def sqs_DeleteMessage(self, **parameters):
        pass

    def sqs_DeleteQueue(self, **parameters):
        pass

    # Amazon SNS

    def signature(self, arn):
        """The attributes that SNS adds to a message."""
        host = f"https://sns.{REGION}.amazonaws.com"
        return {"SignatureVersion": "1", "Signature": "c2lnbmF0dXJl", "SigningCertURL": f"{host}/SimpleNotificationService-0.pem",
                "UnsubscribeURL": f"{host}/?Action=Unsubscribe&SubscriptionArn={subscription_arn(arn)}"}

    def sns_CreateTopic(self, Name, Attributes=None, Tags=None):
        return {"TopicArn": topic_arn(self.account, next(self.numbers))}

    def sns_GetTopicAttributes(self, TopicArn):
        return {"Attributes": {"TopicArn": TopicArn}}

    def sns_SetTopicAttributes(self, **parameters):
        pass

    def sns_Subscribe(self, TopicArn, Protocol, Endpoint, **others):
        self.subscriptions[TopicArn].append(Endpoint)
        return {"SubscriptionArn": subscription_arn(TopicArn)}

    def sns_GetSubscriptionAttributes(self, SubscriptionArn):
        return {"Attributes": {"SubscriptionArn": SubscriptionArn, "PendingConfirmation": "false"}}

    def sns_Unsubscribe(self, **parameters):
        pass

    def sns_DeleteTopic(self, **parameters):
        pass

    # Amazon EventBridge

    def events_PutRule(self, Name, EventPattern="{}", **others):
        self.rules[Name] = json.loads(EventPattern)
        return {"RuleArn": f"arn:aws:events:{REGION}:{self.account}:rule/{Name}"}

    def events_PutTargets(self, Rule, Targets, **others):
        self.rule_targets[Rule] += Targets
        return {"FailedEntryCount": 0, "FailedEntries": []}

    def events_ListTargetsByRule(self, Rule, **others):
        return {"Targets": self.rule_targets[Rule]}

    def events_RemoveTargets(self, Rule, **others):
        self.rule_targets.pop(Rule, None)
        return {"FailedEntryCount": 0, "FailedEntries": []}

    def events_DeleteRule(self, Name, **others):
        self.rules.pop(Name, None)


def matches(pattern, event):
    """Whether an event has, for each key of a pattern, one of its literal values. The tests use no other filters."""
    return all(
        matches(wanted, event.get(key, {})) if isinstance(wanted, dict) else event.get(key) in wanted
        for key, wanted in pattern.items())
