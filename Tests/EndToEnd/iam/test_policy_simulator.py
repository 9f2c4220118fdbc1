"""The policy simulator, which uses the evaluation of real requests.

Texts, positions and results of SimulateCustomPolicy are those that AWS returned in September 2026.
"""

import json

import pytest

from clients import assume, client, error_of, refused, signed
from cloud import ACCOUNT, REPOSITORY, Cloud
from office import ANN, KEYS, ROLE, SEED, serving

ALLOW_GET = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"*"}]}'
DENY_GET = '{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Action":"s3:GetObject","Resource":"*"}]}'
ALLOW_PUT = ALLOW_GET.replace("GetObject", "PutObject")
ALLOW_ALL = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}'
CONDITIONAL = ('{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"*",'
               '"Condition":{"StringEquals":{"stack:missing":"yes"}}}]}')
A, B = "arn:aws:s3:::simulation/a", "arn:aws:s3:::simulation/b"


@pytest.fixture
def iam(office):
    return client(office, "iam")


def statement(source, start, end, kind="IAM Policy"):
    line = {"Line": 1}
    return {"SourcePolicyId": source, "SourcePolicyType": kind, "StartPosition": line | {"Column": start}, "EndPosition": line | {"Column": end}}


ALLOWED = [statement("PolicyInputList.1", 38, 95)]


def simulate(iam, *policies, actions=("s3:GetObject",), resources=None, **parameters):
    if resources:
        parameters["ResourceArns"] = list(resources)
    return iam.simulate_custom_policy(PolicyInputList=list(policies), ActionNames=list(actions), **parameters)["EvaluationResults"]


# SimulateCustomPolicy.


def test_without_a_resource_the_question_is_about_all(iam):
    assert simulate(iam, ALLOW_GET, actions=["s3:GetObject", "s3:PutObject"]) == [
        {"EvalActionName": "s3:GetObject", "EvalResourceName": "*", "EvalDecision": "allowed", "MatchedStatements": ALLOWED,
         "MissingContextValues": []},
        {"EvalActionName": "s3:PutObject", "EvalResourceName": "*", "EvalDecision": "implicitDeny", "MatchedStatements": [],
         "MissingContextValues": []}]


def test_a_resource_has_a_result_of_its_own(iam):
    assert simulate(iam, ALLOW_GET, resources=[A]) == [{
        "EvalActionName": "s3:GetObject", "EvalResourceName": A, "EvalDecision": "allowed", "MatchedStatements": ALLOWED,
        "MissingContextValues": [], "EvalDecisionDetails": {},
        "ResourceSpecificResults": [{
            "EvalResourceName": A, "EvalResourceDecision": "allowed", "MatchedStatements": ALLOWED, "MissingContextValues": []}]}]


def test_of_several_resources_the_most_restrictive_decision_counts(iam):
    policy = ALLOW_GET.replace('"*"', f'"{A}"')
    matched = [statement("PolicyInputList.1", 38, 94 + len(A))]
    assert simulate(iam, policy, resources=[A, B]) == [{
        "EvalActionName": "s3:GetObject", "EvalResourceName": "arn:aws:s3:::${BucketName}/${KeyName}", "EvalDecision": "implicitDeny",
        "MatchedStatements": matched, "MissingContextValues": [], "EvalDecisionDetails": {},
        "ResourceSpecificResults": [
            {"EvalResourceName": A, "EvalResourceDecision": "allowed", "MatchedStatements": matched, "MissingContextValues": []},
            {"EvalResourceName": B, "EvalResourceDecision": "implicitDeny", "MatchedStatements": [], "MissingContextValues": []}]}]


def test_of_a_denial_only_the_statement_that_denies_is_told(iam):
    result, = simulate(iam, ALLOW_GET, DENY_GET)
    assert result["EvalDecision"] == "explicitDeny"
    assert result["MatchedStatements"] == [statement("PolicyInputList.2", 38, 94)]


def test_lines_and_columns_are_those_of_the_text(iam):
    result, = simulate(iam, json.dumps(json.loads(ALLOW_GET), indent=2))
    place, = result["MatchedStatements"]
    assert (place["StartPosition"], place["EndPosition"]) == ({"Line": 3, "Column": 17}, {"Line": 8, "Column": 6})


@pytest.mark.parametrize("boundary, decision, allows, matched", [
    (ALLOW_GET, "allowed", True, ALLOWED), (ALLOW_PUT, "implicitDeny", False, []),
    (DENY_GET, "explicitDeny", False, [statement("PermissionsBoundaryPolicyInputList.1", 38, 94, "Permissions Boundary Policy")])])
def test_a_boundary_limits(iam, boundary, decision, allows, matched):
    result, = simulate(iam, ALLOW_GET, resources=[A], PermissionsBoundaryPolicyInputList=[boundary])
    assert (result["EvalDecision"], result["MatchedStatements"]) == (decision, matched)
    assert result["PermissionsBoundaryDecisionDetail"] == {"AllowedByPermissionsBoundary": allows}
    assert result["ResourceSpecificResults"][0]["PermissionsBoundaryDecisionDetail"] == {"AllowedByPermissionsBoundary": allows}


@pytest.mark.parametrize("second, decision", [(ALLOW_ALL, "allowed"), (DENY_GET, "explicitDeny"), (ALLOW_PUT, "implicitDeny")])
def test_every_level_of_an_organization_must_allow(iam, second, decision):
    levels = [{"ServiceControlPolicyInputList": [ALLOW_ALL]}, {"ServiceControlPolicyInputList": [second]}]
    result, = simulate(iam, ALLOW_GET, OrderedOrganizationPolicyInputList=levels)
    assert result["EvalDecision"] == decision
    assert result["OrganizationsDecisionDetail"] == {"AllowedByOrganizations": decision == "allowed"}
    assert result["MatchedStatements"] == (ALLOWED if decision == "allowed" else [])


@pytest.mark.parametrize("policies, missing", [
    ([CONDITIONAL], ["stack:missing"]), ([ALLOW_GET, CONDITIONAL], []), ([DENY_GET, CONDITIONAL], []),
    ([CONDITIONAL.replace("GetObject", "PutObject")], ["stack:missing"]),
    ([CONDITIONAL, CONDITIONAL.replace("stack:", "STACK:")], ["STACK:missing", "stack:missing"]),
    ([ALLOW_GET.replace('"*"', '"arn:aws:s3:::b/${stack:key}"')], ["stack:key"])])
def test_keys_that_nobody_gave_are_told_where_nothing_decides(iam, policies, missing):
    result, = simulate(iam, *policies)
    assert sorted(result["MissingContextValues"]) == missing


@pytest.mark.parametrize("kind, values, operator, wanted, decision", [
    ("string", ["yes"], "StringEquals", "yes", "allowed"), ("numeric", ["01.00"], "NumericEquals", "1", "allowed"),
    ("numeric", ["01.00"], "StringEquals", "1.00", "allowed"), ("boolean", ["TRUE"], "Bool", "true", "allowed"),
    ("boolean", ["yes"], "Bool", "true", "implicitDeny"), ("date", ["2035-01-02"], "StringEquals", "2035-01-02T00:00:00.000Z", "allowed"),
    ("date", ["2035-01-02"], "DateGreaterThan", "2035-01-01", "allowed"), ("ip", ["192.0.2.1"], "IpAddress", "192.0.2.0/24", "allowed"),
    ("binary", ["QUJD"], "BinaryEquals", "QUJD", "allowed"), ("stringList", ["a", "b"], "ForAllValues:StringEquals", ["a", "b", "c"], "allowed"),
    ("stringList", ["a"], "StringEquals", "a", "implicitDeny"), ("stringList", ["a", "x"], "ForAnyValue:StringEquals", "x", "allowed")])
def test_context_entries_have_types(iam, kind, values, operator, wanted, decision):
    policy = json.dumps({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {operator: {"stack:key": wanted}}}]})
    entry = {"ContextKeyName": "stack:key", "ContextKeyValues": values, "ContextKeyType": kind}
    result, = simulate(iam, policy, ContextEntries=[entry])
    assert result["EvalDecision"] == decision
    assert result["MissingContextValues"] == []


RESOURCE_POLICY = json.dumps({"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::simulation/*", "Principal": {"AWS": "*"}}]}, separators=(",", ":"))
GRANTED = statement("ResourcePolicy", 38, len(RESOURCE_POLICY) - 1, "Resource Policy")


def test_a_resource_policy_allows_in_its_own_account(iam):
    result, = simulate(iam, resources=[A], ResourcePolicy=RESOURCE_POLICY, CallerArn=ANN)
    assert (result["EvalDecision"], result["MatchedStatements"], result["EvalDecisionDetails"]) == ("allowed", [GRANTED], {})


@pytest.mark.parametrize("policies, decision, own", [([], "implicitDeny", "implicitDeny"), ([ALLOW_GET], "allowed", "allowed")])
def test_across_accounts_both_sides_are_told(iam, policies, decision, own):
    result, = simulate(
        iam, *policies, resources=[A], ResourcePolicy=RESOURCE_POLICY, CallerArn=ANN, ResourceOwner="arn:aws:iam::999999999999:root")
    details = {"Resource Policy": "allowed", "IAM Policy": own}
    assert (result["EvalDecision"], result["EvalDecisionDetails"]) == (decision, details)
    assert result["ResourceSpecificResults"][0]["EvalDecisionDetails"] == details


def test_the_caller_gives_keys(iam):
    policy = ALLOW_GET.replace('"*"', '"arn:aws:s3:::simulation/${aws:username}"')
    resource = "arn:aws:s3:::simulation/ann"
    assert simulate(iam, policy, resources=[resource], CallerArn=ANN)[0]["EvalDecision"] == "allowed"
    assert simulate(iam, policy, resources=[resource])[0]["EvalDecision"] == "implicitDeny"


def test_results_come_in_pages(iam):
    actions = ["s3:PutObject", "iam:GetUser", "s3:GetObject"]
    page = iam.simulate_custom_policy(PolicyInputList=[ALLOW_ALL], ActionNames=actions, MaxItems=1)
    assert page["IsTruncated"] and [result["EvalActionName"] for result in page["EvaluationResults"]] == actions[:1]
    pages = iam.get_paginator("simulate_custom_policy").paginate(
        PolicyInputList=[ALLOW_ALL], ActionNames=actions, PaginationConfig={"PageSize": 2})
    assert [result["EvalActionName"] for page in pages for result in page["EvaluationResults"]] == actions
    changed = iam.simulate_custom_policy(PolicyInputList=[ALLOW_ALL], ActionNames=["s3:DeleteObject"], Marker=page["Marker"])
    assert changed["EvaluationResults"] == []


@pytest.mark.parametrize("parameters, message", [
    ({"ActionNames": ["GetObject"]}, "The action is invalid since it is missing names"),
    ({"ResourceArns": ["not-an-arn"]}, "ResourceNames are not in a valid ARN format: not-an-arn."),
    ({"ResourceArns": ["arn:aws:s3:::"]}, "ResourceNames are not in a valid ARN format: arn:aws:s3:::."),
    ({"PolicyInputList": ["{"]}, "Policy input list item 1 has invalid content"),
    ({"PolicyInputList": [ALLOW_GET, '{"Version":"2099-01-01","Statement":[]}']}, "Policy input list item 2 has invalid content"),
    ({"PermissionsBoundaryPolicyInputList": [ALLOW_GET, ALLOW_GET]}, "The list of Permissions Boundary policies cannot exceed 1 items."),
    ({"OrderedOrganizationPolicyInputList": [{"ServiceControlPolicyInputList": []}]},
     "Organization policy at index 1 must contain at least one service control policy"),
    ({"Marker": "not-a-simulation-marker"}, "Invalid marker for pagination."),
    ({"ResourcePolicy": RESOURCE_POLICY, "ResourceArns": [A]}, "Invalid caller - Caller cannot be null or empty."),
    ({"CallerArn": f"arn:aws:iam::{ACCOUNT}:root"}, "Invalid caller - Caller must be an IAM user, role or group in this context."),
    ({"CallerArn": ANN, "ResourceOwner": "999999999999"}, "'999999999999' is not a valid as a Resource Owner."),
    ({"ContextEntries": [{"ContextKeyName": "stack:key", "ContextKeyValues": ["a", "b"], "ContextKeyType": "string"}]},
     "Context key string expected a single value, but received 2."),
    ({"ContextEntries": [{"ContextKeyName": "stack:key", "ContextKeyValues": ["yes"]}]}, "Context key stack:key has invalid type null."),
    ({"ContextEntries": [{"ContextKeyName": "stack:key", "ContextKeyType": "string"}]},
     "Context values for context key stack:key cannot be null or empty."),
    ({"ContextEntries": [{"ContextKeyValues": ["yes"], "ContextKeyType": "string"}]}, "ContextKeyName cannot be null or empty."),
    ({"ContextEntries": [{"ContextKeyName": name, "ContextKeyValues": ["a"], "ContextKeyType": "string"} for name in ["stack:key", "STACK:KEY"]]},
     "Duplicate context key: STACK:KEY."),
    *[({"ContextEntries": [{"ContextKeyName": "stack:key", "ContextKeyValues": [value], "ContextKeyType": kind}]},
       f"Invalid context value for key stack:key: expected {expected}.")
      for kind, value, expected in [
          ("numeric", "0x10", "numeric format"), ("numeric", " 1 ", "numeric format"), ("numeric", "NaN", "numeric format"),
          ("date", "tomorrow", "DateTime format"), ("ip", "999.0.0.1", "IP address"),
          ("binary", "!base64", "base-64 encoded binary format")]]])
def test_input_that_makes_no_sense_is_refused(iam, parameters, message):
    with refused("InvalidInput", 400) as refusal:
        iam.simulate_custom_policy(**{"PolicyInputList": [ALLOW_GET], "ActionNames": ["s3:GetObject"]} | parameters)
    assert refusal.message == message


def test_input_against_the_model_is_refused(iam):
    entry = {"ContextKeyName": "stack:key", "ContextKeyValues": ["a"], "ContextKeyType": "unknown"}
    with refused("ValidationError", 400, "Member must satisfy enum value set"):
        simulate(iam, ALLOW_GET, ContextEntries=[entry])
    with refused("ValidationError", 400, "less than or equal to 1000"):
        simulate(iam, ALLOW_GET, MaxItems=1001)


def test_an_empty_list_of_policies_allows_nothing(iam):
    assert simulate(iam)[0]["EvalDecision"] == "implicitDeny"


# SimulatePrincipalPolicy and the condition keys of policies.


def test_a_users_own_policies_decide(iam):
    results = iam.simulate_principal_policy(
        PolicySourceArn=ANN, ActionNames=["s3:GetObject"], ResourceArns=["arn:aws:s3:::box/ann/a", "arn:aws:s3:::box/ann/secret"])
    result, = results["EvaluationResults"]
    mine, secret = result["ResourceSpecificResults"]
    assert result["EvalDecision"] == "explicitDeny"
    assert (mine["EvalResourceDecision"], secret["EvalResourceDecision"]) == ("allowed", "explicitDeny")
    assert {found["SourcePolicyId"] for found in result["MatchedStatements"]} == {"user_ann_own"}
    place, = secret["MatchedStatements"]
    denial = SEED["accounts"][0]["users"][0]["policies"]["own"]["Statement"][1]
    # With the comma before it, because the order of members is not defined.
    assert place["EndPosition"]["Column"] - place["StartPosition"]["Column"] == 1 + len(json.dumps(denial, separators=(",", ":")))


def test_places_are_those_of_the_text_as_it_was_put(office, iam):
    text = json.dumps({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sqs:*", "Resource": "*"}]}, indent=4)
    iam.put_user_policy(UserName="eve", PolicyName="queues", PolicyDocument=text)
    arn = iam.create_policy(PolicyName="quiet", PolicyDocument=text.replace("Allow", "Deny").replace("sqs:*", "sns:Publish"))["Policy"]["Arn"]
    iam.attach_user_policy(UserName="eve", PolicyArn=arn)
    results = iam.simulate_principal_policy(
        PolicySourceArn=f"arn:aws:iam::{ACCOUNT}:user/eve", ActionNames=["sqs:SendMessage", "sns:Publish"])["EvaluationResults"]
    iam.detach_user_policy(UserName="eve", PolicyArn=arn)
    iam.delete_user_policy(UserName="eve", PolicyName="queues")
    place = {"SourcePolicyType": "IAM Policy", "StartPosition": {"Line": 3, "Column": 19}, "EndPosition": {"Line": 8, "Column": 10}}
    assert [(result["EvalDecision"], result["MatchedStatements"]) for result in results] == [
        ("allowed", [{"SourcePolicyId": "user_eve_queues"} | place]), ("explicitDeny", [{"SourcePolicyId": "quiet"} | place])]


def test_a_denial_of_a_managed_policy_names_its_arn(office, iam):
    arn = iam.create_policy(PolicyName="guard", PolicyDocument=DENY_GET)["Policy"]["Arn"]
    iam.attach_user_policy(UserName="ann", PolicyArn=arn)
    response = signed(office, "GET", "/box/ann/a", keys=KEYS["ann"])
    iam.detach_user_policy(UserName="ann", PolicyArn=arn)
    assert error_of(response)["Message"] == (
        f'User: {ANN} is not authorized to perform: s3:GetObject on resource: "arn:aws:s3:::box/ann/a" '
        f"with an explicit deny in an identity-based policy: {arn}")


def test_simulation_and_enforcement_agree(office, iam):
    s3 = client(office, "s3")
    for key in ["ann/a", "ann/secret", "eve/a"]:
        s3.put_object(Bucket="box", Key=key, Body=b"x")
    ann = client(office, "s3", **KEYS["ann"])
    for key in ["ann/a", "ann/secret", "eve/a"]:
        result, = iam.simulate_principal_policy(
            PolicySourceArn=ANN, ActionNames=["s3:GetObject"], ResourceArns=[f"arn:aws:s3:::box/{key}"])["EvaluationResults"]
        if result["EvalDecision"] == "allowed":
            assert ann.get_object(Bucket="box", Key=key)["Body"].read() == b"x"
        else:
            how = "with an explicit deny" if result["EvalDecision"] == "explicitDeny" else "because no identity-based policy allows"
            with refused("AccessDenied", 403, how):
                ann.get_object(Bucket="box", Key=key)


def test_policies_can_be_added_and_left_out(iam):
    def decide(**parameters):
        return iam.simulate_principal_policy(
            PolicySourceArn=ROLE, ActionNames=["s3:GetObject"], ResourceArns=["arn:aws:s3:::box/a"], **parameters
        )["EvaluationResults"][0]["EvalDecision"]

    assert decide() == "allowed"
    assert decide(PolicyInputList=[DENY_GET]) == "explicitDeny"
    assert decide(PermissionsBoundaryPolicyInputList=[ALLOW_PUT]) == "implicitDeny"
    assert decide(PolicyExclusionList=[{"PolicyType": "inline"}]) == "implicitDeny"
    assert decide(PolicyExclusionList=[{"PolicyType": "scp"}, {"PolicyType": "aws-managed"}]) == "allowed"
    named = {"PolicyName": "read", "AttachmentType": "role", "AttachmentName": "rea*"}
    assert decide(PolicyExclusionList=[{"InlinePolicyIdentifier": named}]) == "implicitDeny"
    assert decide(PolicyExclusionList=[{"InlinePolicyIdentifier": named | {"AttachmentType": "user"}}]) == "allowed"


@pytest.mark.parametrize("arn, code, status, message", [
    (f"arn:aws:iam::{ACCOUNT}:role/nobody", "NoSuchEntity", 404, "Unable to retrieve specified IAM entity."),
    ("arn:aws:iam::999999999999:user/ann", "InvalidInput", 400,
     f"Invalid Policy Source Arn: caller's account {ACCOUNT} does not have access to policies in account 999999999999."),
    (f"arn:aws:iam::{ACCOUNT}:root", "InvalidInput", 400, f"Invalid ARN provided in the request: arn:aws:iam::{ACCOUNT}:root"),
    (f"arn:aws:sts::{ACCOUNT}:assumed-role/reader/s", "InvalidInput", 400,
     f"Invalid ARN provided in the request: arn:aws:sts::{ACCOUNT}:assumed-role/reader/s"),
    ("not-an-arn-but-long-enough", "InvalidInput", 400, "Invalid ARN provided in the request: not-an-arn-but-long-enough")])
@pytest.mark.parametrize("call", ["simulate_principal_policy", "get_context_keys_for_principal_policy"])
def test_a_source_must_be_somebody(iam, call, arn, code, status, message):
    actions = {"ActionNames": ["s3:GetObject"]} if call.startswith("simulate") else {}
    with refused(code, status) as refusal:
        getattr(iam, call)(PolicySourceArn=arn, **actions)
    assert refusal.message == message


def test_an_entity_is_found_by_its_name(iam):
    answer = iam.get_context_keys_for_principal_policy(PolicySourceArn=f"arn:aws:iam::{ACCOUNT}:user/other/path/ann")
    assert sorted(answer["ContextKeyNames"]) == ["aws:PrincipalTag/clearance", "aws:username"]


def test_keys_are_told_for_each_document(iam):
    assert iam.get_context_keys_for_custom_policy(PolicyInputList=[CONDITIONAL, CONDITIONAL])["ContextKeyNames"] == ["stack:missing"] * 2
    with refused("InvalidInput", 400, "Policy input list item 1 has invalid content"):
        iam.get_context_keys_for_custom_policy(PolicyInputList=["{"])


@pytest.mark.parametrize("call, parameters, resource", [
    ("simulate_custom_policy", {"PolicyInputList": [ALLOW_GET], "ActionNames": ["s3:GetObject"]}, "*"),
    ("simulate_principal_policy", {"PolicySourceArn": ANN, "ActionNames": ["s3:GetObject"]}, ANN),
    ("get_context_keys_for_custom_policy", {"PolicyInputList": [ALLOW_GET]}, "*"),
    ("get_context_keys_for_principal_policy", {"PolicySourceArn": ANN}, ANN)])
def test_permission_is_needed(office, call, parameters, resource):
    eve = client(office, "iam", **KEYS["eve"])
    action = "iam:" + "".join(word.capitalize() for word in call.split("_"))
    with refused("AccessDenied", 403) as refusal:
        getattr(eve, call)(**parameters)
    assert refusal.message.startswith(
        f"User: arn:aws:iam::{ACCOUNT}:user/eve is not authorized to perform: {action} on resource: {resource} "
        f"because no identity-based policy allows the {action} action. Go to https://")


# Features of Ceph's dialect.


@pytest.mark.parametrize("dialect, status", [("aws", 403), ("ceph", 200)])
def test_tags_of_buckets_are_keys_in_cephs_dialect_alone(environment_of_the_tests, tmp_path, dialect, status):
    with serving(tmp_path, "--dialect", dialect) as cloud:
        s3 = client(cloud, "s3")
        s3.put_bucket_tagging(Bucket="box", Tagging={"TagSet": [{"Key": "Department", "Value": "Engineering"}]})
        s3.put_bucket_policy(Bucket="box", Policy=json.dumps({"Version": "2012-10-17", "Statement": {
            "Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:user/eve"}, "Action": "s3:ListBucket",
            "Resource": "arn:aws:s3:::box", "Condition": {"StringEquals": {"s3:ResourceTag/Department": "Engineering"}}}}))
        assert signed(cloud, "GET", "/box?list-type=2", keys=KEYS["eve"]).status_code == status


@pytest.mark.parametrize("dialect", ["aws", "ceph"])
def test_the_audience_has_a_second_name_in_cephs_dialect_alone(environment_of_the_tests, tmp_path, dialect):
    path = tmp_path / "seed.json5"
    seed = (REPOSITORY / "seed" / "personal-file-store.json5").read_text()
    assert seed.count("login.company.example:aud") == 1
    path.write_text(seed.replace("login.company.example:aud", "login.company.example:app_id"))
    with Cloud.ephemeral("--seed", path, "--dialect", dialect) as cloud:
        if dialect == "ceph":
            assert assume(cloud, "company", cloud.token("company", "alice"))["Audience"]
        else:
            with refused("AccessDenied", 403):
                assume(cloud, "company", cloud.token("company", "alice"))
