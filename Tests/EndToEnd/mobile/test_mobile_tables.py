"""The Database Management API: members of the team create and remove the tables in which custom code stores rows."""

import requests

from cloud import Cloud
from custom_code import CustomCode
from ridgeline import SEED, Backend, refusal

TABLES, ROWS = "/mobile/system/databaseManagement/tables", "/mobile/platform/database/objects"
MOVIES = {
    "name": "Movies",
    "columns": [
        {"name": "title", "type": "string", "size": 50}, {"name": "year", "type": "integer", "size": 4},
        {"name": "inTheaters", "type": "boolean"}, {"name": "releaseDate", "type": "dateTime"}],
    "primaryKeys": ["year", "title"], "requiredColumns": ["inTheaters"]}


class Team:
    """A member of the team, with a backend of the environment."""

    def __init__(self, cloud, name="sven"):
        self.backend = Backend(cloud, "LiftCare")
        self.headers = self.backend.basic(name)

    def call(self, method, path="", body=None, **headers):
        return self.backend.call(method, TABLES + path, self.headers | {name.replace("_", "-"): value for name, value in headers.items()}, body)


def test_the_team_makes_describes_replaces_and_removes_tables(ridgeline):
    team = Team(ridgeline)
    assert team.call("GET").json() == []
    made = team.call("POST", body=MOVIES, Oracle_Mobile_Extra_Fields="createdOn")
    assert made.status_code == 201 and made.json()["primaryKeys"] == ["year", "title"], made.text
    described = team.call("GET", "/Movies").json()
    assert described == {
        "name": "Movies", "primaryKeys": ["title", "year"], "requiredColumns": ["title", "year", "inTheaters"], "columns": [
            {"name": "title", "size": 50, "type": "string"}, {"name": "year", "size": 4, "type": "integer"},
            {"name": "inTheaters", "type": "boolean"}, {"name": "releaseDate", "type": "dateTime"}, {"name": "createdOn", "type": "dateTime"}]}
    assert team.call("GET").json() == [described]
    refusal(team.call("POST", body=MOVIES), 409)

    index = {"name": "release", "columns": ["inTheaters", "releaseDate"]}
    made = team.call("POST", "/Movies/indexes", index)
    assert (made.status_code, made.json()) == (201, index)
    refusal(team.call("POST", "/Movies/indexes", index), 409, "already exists")
    assert team.call("GET", "/Movies").json()["indexes"] == [index]
    removed = team.call("DELETE", "/Movies/indexes/release")
    assert (removed.status_code, removed.content) == (204, b"")
    refusal(team.call("DELETE", "/Movies/indexes/release"), 404)

    replaced = team.call("PUT", "/Movies", {"name": "Movies", "columns": [{"name": "a", "type": "string"}]})
    assert replaced.status_code == 200 and replaced.json()["primaryKeys"] == ["id"], replaced.text
    assert team.call("DELETE", "/Movies").status_code == 204
    refusal(team.call("GET", "/Movies"), 404)
    refusal(team.call("DELETE", "/Movies"), 404)


def test_only_members_with_the_role_are_let_in(ridgeline):
    care = Backend(ridgeline, "LiftCare")
    refusal(requests.get(ridgeline.url + TABLES), 401)
    refusal(care.call("GET", TABLES, care.basic("sven", "wrong")), 401)
    refusal(care.call("GET", TABLES, care.basic("lena")), 403, "Mobile_DbMgmt")
    for headers in (care.basic("dora"), care.anonymous):
        refusal(care.call("GET", TABLES, headers), 403, "members of the team")
    refusal(requests.get(ridgeline.url + TABLES, auth=("sven", "sven-password")), 400, "Oracle-Mobile-Backend-ID")
    # An administrator adds a member.
    ridgeline.control("PUT", "mobile/team-members/lena", {"name": "lena", "password": "lena-password", "roles": ["Mobile_DbMgmt"]})
    assert Team(ridgeline, "lena").call("GET").status_code == 200
    ridgeline.control("DELETE", "mobile/team-members/lena")
    refusal(care.call("GET", TABLES, care.basic("lena")), 401)


def test_tables_outlive_a_restart_with_their_rows(environment_of_the_tests, tmp_path):
    def in_process(test):
        with Cloud.over(tmp_path / "data", "--seed", SEED) as cloud:
            answer = test(cloud, Team(cloud))
            assert cloud.stop() == 0, cloud.logged()
            return answer

    def custom_code(cloud, method, body=None):
        """Custom code that stores rows. Returns the response to it."""
        with CustomCode(cloud) as code:
            cloud.control("PUT", "mobile/apis/code(1.0)", {
                "name": "code", "access": "open", "endpoints": [{"method": "*", "path": "/*", "forward": f"{code.url}/code"}]})

            @code.route(method, "/code/rows")
            def rows(call):
                answer = call.platform(method, f"{ROWS}/Movies", body)
                return answer.status_code, answer.json()

            care = Backend(cloud, "LiftCare")
            return care.custom(method, "code/rows", care.anonymous)

    row = {"title": "Up", "year": 2009, "inTheaters": False, "releaseDate": "2009-05-29T00:00:00Z"}

    def make(cloud, team):
        assert team.call("POST", body=MOVIES, Oracle_Mobile_Extra_Fields="none").status_code == 201
        assert team.call("POST", "/Movies/indexes", {"name": "release", "columns": ["releaseDate"]}).status_code == 201
        assert custom_code(cloud, "POST", row).status_code == 201
        refusal(custom_code(cloud, "POST", {"title": "Up", "year": 2010}), 400, "inTheaters")
        return team.call("GET").json()

    def find(cloud, team):
        assert custom_code(cloud, "GET").json() == {"items": [row]}
        refusal(custom_code(cloud, "POST", row), 409)
        refusal(custom_code(cloud, "POST", row | {"year": 20100}), 400)
        tables = team.call("GET").json()
        assert team.call("DELETE", "/Movies").status_code == 204
        return tables

    assert in_process(make) == in_process(find)

    def miss(cloud, team):
        refusal(custom_code(cloud, "GET"), 404)
        return team.call("GET").json()

    assert in_process(miss) == []
