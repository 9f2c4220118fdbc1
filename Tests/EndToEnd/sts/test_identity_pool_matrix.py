"""Every way to log in at an identity pool, with each outcome: what the application gets, what the journal has, and which statement decided.
The C numbers are those of `Tests/Conformance/Cognito.md`."""

import dataclasses
import re

import pytest

from cloud import ACCOUNT
from pool_logins import (
    AMBIGUOUS, FORGED, GRANTED, LATE, OUTCOMES, REFUSED, REMOVED, UNLINKED, WAYS, WRONG, Application, Refusal, Visit, seed)
from saml_provider import SAMLProvider
from sandboxes import Sandbox
from test_credential_matrix import Decided, Impossible, decided, newest

ACTION = "sts:AssumeRoleWithWebIdentity"
GET_ID, GET_CREDENTIALS = "GetId", "GetCredentialsForIdentity"


@dataclasses.dataclass(frozen=True)
class Cell:
    """An outcome of a way. `text` is the message, or a pattern of it; the rest is in the journal."""

    operation: str = GET_CREDENTIALS
    code: str | None = None
    text: str | re.Pattern = ""
    decided: Decided | None = None
    reason: str = ""


def not_authorized(text, operation=GET_ID, reason=""):
    return Cell(operation, "NotAuthorizedException", text, reason=reason)


UNSUPPORTED = "Token is not from a supported provider of this identity pool."
UNVERIFIED = "Invalid login token. Couldn't verify signed token."
EXPIRED = re.compile(r"Invalid login token\. Token expired: \d+ >= \d+")
NO_LOGIN = Impossible("A guest presents no login.")


def common(way):
    """What is the same in each way, for an identity that has a login."""
    return {
        GRANTED: Cell(decided=Decided("allowed", ACTION, WAYS[way].sid)),
        REFUSED: Cell(
            GET_CREDENTIALS, "InvalidIdentityPoolConfigurationException",
            "Invalid identity pool configuration. Check assigned IAM roles for this pool.",
            Decided("explicitDeny", ACTION, "Closed")),
        UNLINKED: not_authorized("Access to Identity '{identity}' is forbidden.", GET_CREDENTIALS),
        REMOVED: not_authorized(UNSUPPORTED),
        AMBIGUOUS: not_authorized("The ambiguous role mapping rules denied this request.", GET_CREDENTIALS)}


def id_token(way, client, forgery):
    """A provider of ID tokens. `client` is the one that the token is for; `forgery` is the reason in the journal."""
    return common(way) | {
        WRONG: not_authorized(UNSUPPORTED, reason=f'the token\'s audience is "{client}"'),
        LATE: not_authorized(EXPIRED), FORGED: not_authorized(UNVERIFIED, reason=forgery)}


def access_token(way, client, text):
    """A provider of access tokens, which the provider itself accepts or not."""
    return common(way) | {
        WRONG: not_authorized(UNSUPPORTED, reason=f'the token\'s audience is "{client}"'),
        LATE: not_authorized(text), FORGED: not_authorized(text)}


def saml():
    invalid = "Invalid login token. The SAML response is not valid."
    return common("saml") | {
        WRONG: Impossible("The audience of a SAML response is not compared, as at STS, and trust policies of pools do not see it."),
        LATE: not_authorized(invalid, reason="the assertion"),
        FORGED: not_authorized(invalid, reason="verifies the signature"),
        # Without its provider, the response is read as a token.
        REMOVED: not_authorized("Invalid login token. Not a valid OpenId Connect identity token.")}


def developer():
    return common("developer") | {
        WRONG: not_authorized(UNSUPPORTED, GET_CREDENTIALS, "the token's audience is"),
        LATE: not_authorized(EXPIRED, GET_CREDENTIALS),
        FORGED: not_authorized(UNVERIFIED, GET_CREDENTIALS, "the signature does not verify"),
        REMOVED: Impossible("The developer provider of a pool cannot be removed or changed."),
        AMBIGUOUS: Impossible("The token of a developer has no claims that rules could compare.")}


def guest():
    return common("guest") | {
        WRONG: NO_LOGIN, LATE: NO_LOGIN, FORGED: NO_LOGIN, UNLINKED: NO_LOGIN,
        REMOVED: not_authorized("Unauthenticated access is not supported for this identity pool."),
        AMBIGUOUS: Impossible("Rules compare the claims of a login, and a guest has none.")}


SIGNATURE = "the signature does not verify"
# Keys of user pools are found and tried in one step.
NO_KEY = "the key cannot verify the token"

CELLS = {
    "google": id_token("google", "g-other", SIGNATURE), "oidc": id_token("oidc", "cli", SIGNATURE),
    # Facebook's tokens have one text whatever is wrong with them.
    "facebook": access_token("facebook", "5678", "Invalid login token. Token is expired."),
    "amazon": access_token("amazon", "amzn1.client.other", "Invalid login token."),
    "saml": saml(),
    "user pool, password": id_token("user pool, password", "harbourother", NO_KEY),
    "user pool, SRP": id_token("user pool, SRP", "harbourother", NO_KEY),
    "developer": developer(), "guest": guest()}


@pytest.fixture(scope="module")
def provider(tmp_path_factory):
    return SAMLProvider(tmp_path_factory.mktemp("provider"))


@pytest.fixture(scope="module")
def pools_process(process, provider):
    with Sandbox.seeded(process, seed(provider)) as cloud:
        yield cloud


@pytest.fixture
def cloud(pools_process):
    pools_process.reset()
    return pools_process


def prepare(cloud, application, way, outcome):
    """Changes what the outcome requires, after the application has its login."""
    if outcome == LATE:
        application.expire(way)
    elif outcome == UNLINKED:
        assert application.run().endswith("/CognitoIdentityCredentials")
        application.unlink(way)
    elif outcome == REMOVED:
        way.remove(cloud)
    elif outcome == REFUSED:
        way.refuse(cloud)
    elif outcome == AMBIGUOUS:
        way.map(cloud)


POSSIBLE = [pytest.param(way, outcome, id=f"{way}: {outcome}") for way, cells in CELLS.items() for outcome, cell in cells.items()
            if isinstance(cell, Cell)]


@pytest.mark.parametrize("name, outcome", POSSIBLE)
def test_c7_c8_c10_c12_c17_the_application_gets_its_folder_or_an_error(cloud, provider, name, outcome):
    way, cell = WAYS[name], CELLS[name][outcome]
    application = Application(Visit(cloud, provider, outcome), way)
    prepare(cloud, application, way, outcome)
    ended = application.run()
    if outcome == GRANTED:
        assert ended == f"arn:aws:sts::{ACCOUNT}:assumed-role/{way.role['name']}/CognitoIdentityCredentials"
    else:
        assert isinstance(ended, Refusal), ended
        assert (ended.operation, ended.code) == (cell.operation, cell.code), ended
        if isinstance(cell.text, re.Pattern):
            assert cell.text.fullmatch(ended.message), ended
        else:
            assert ended.message == cell.text.format(identity=application.identity)
    entry = newest(cloud, "cognito-identity", cell.operation)
    assert (entry["status"], entry.get("error")) == (200 if outcome == GRANTED else 400, cell.code), entry
    assert cell.reason in (entry.get("reason") or ""), entry
    assert decided(entry) == cell.decided, entry
    if outcome == REFUSED:
        explained = cloud.control("POST", "explain", {"request_id": entry["request_id"]})["decisions"][-1]
        assert explained["decision"] == cell.decided.decision and explained["explanation"]


def test_c7_every_way_has_each_outcome_or_a_reason():
    assert set(CELLS) == set(WAYS)
    for way, cells in CELLS.items():
        assert set(cells) == set(OUTCOMES), way
        for reason in (cell for cell in cells.values() if not isinstance(cell, Cell)):
            assert isinstance(reason, Impossible) and reason.endswith(".") and len(reason.split()) >= 5, (way, reason)
        assert isinstance(cells[GRANTED], Cell) and isinstance(cells[REFUSED], Cell)
