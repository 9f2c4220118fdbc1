import Testing
import WireFormats

@testable import VirgaCommand

@Suite("Answers about credentials")
struct OfferCheckTests {
    @Test(
        "are taken as Virga sends them",
        arguments: [
            ["kind": "container", "path": "/v2/credentials/1", "authorizationToken": "t"],
            ["kind": "actions", "path": "/_actions/github-actions/deploy_1.0/token?api-version=2.0", "region": "us-east-1"],
            ["kind": "actions", "variables": ["GITLAB_OIDC_TOKEN": "a.b.c", "CI": "true"], "claims": ["repository_owner": "octo"]],
            ["kind": "rolesanywhere", "certificate": "-----BEGIN\nA\n", "privateKey": "B\n", "trustAnchorArn": "arn:aws:rolesanywhere:a"],
            ["files": [".aws/config": "[default]\nregion = us-east-1\n\n[sso-session virga]\n", ".aws/sso/cache/0a1b.json": "{}"]],
        ] as [JSONObject])
    func accepted(answer: JSONObject) throws {
        try OfferCheck.check(answer)
    }

    @Test(
        "that would run commands are refused",
        arguments: [
            ["variables": ["A;touch pwned;B": "1"]], ["variables": ["LD_PRELOAD": "/tmp/x"]], ["variables": ["PATH": "."]],
            ["variables": ["CI": "true\nB=1"]], ["claims": ["a b": "1"]], ["claims": ["ref": "a\rb"]], ["path": "/a\nb"],
            // The files that a workflow appends to, and what an agent runs.
            ["claims": ["path": "/home/x/.bashrc"]], ["variables": ["GITHUB_ENV": "/home/x/.bashrc"]],
            ["variables": ["BUILDKITE_SHELL": "x"]],
            // Other servers, and what a shell that reads a file of variables would run.
            ["path": "@evil.example/"], ["path": ".evil.example/"], ["path": "/$(touch x)"], ["path": ["/"]], ["region": "a;touch x"],
            ["session": "arn\n[default]\ncredential_process = touch x"], ["trustAnchorArn": "a\" \"b"], ["role": "a\u{7F}"],
            ["files": ["../x": ""]], ["files": [".bashrc": ""]], ["files": [".aws/sso/cache/../../x.json": "{}"]],
            ["files": [".aws/config": "[default]\ncredential_process = touch x\n"]], ["files": [".aws/config": "region = \u{B}"]],
            ["files": [".aws/sso/cache/0a.json": "not JSON"]], ["session": "a\u{2028}credential_process = touch x"],
            // A line feed is not the only end of a line.
            ["files": [".aws/config": "[default]\rcredential_process = touch x\r[x]\n"]],
            ["files": [".aws/config": "[default]\r\ncredential_process = touch x\r\n[x]\n"]],
            ["files": [".aws/config": "[sso-session a\u{85}credential_process = touch x\u{85}b]\n"]],
            ["files": [".aws/config": "[plugins]\nregion = antigravity\n"]],
            ["files": [".aws/config": "region = a\u{2029}credential_process = touch x\n"]],
        ] as [JSONObject])
    func refused(answer: JSONObject) {
        #expect(throws: Failure.self) { try OfferCheck.check(answer) }
    }

    @Test(
        "have words that no shell expands",
        arguments: [
            ("arn:aws:iam::111122223333:role/batch", "arn:aws:iam::111122223333:role/batch"), ("/a b/virga", "'/a b/virga'"),
            ("a$(touch x)", "'a$(touch x)'"), ("a`x`", "'a`x`'"), ("it's", "'it'\\''s'"), ("", "''"),
        ])
    func words(word: String, quoted: String) {
        #expect(CertificateOffer.quoted(word) == quoted)
    }

    @Test("have four credentials, or a process fails")
    func process() throws {
        let whole: JSONObject = ["accessKeyId": "A", "secretAccessKey": "B", "sessionToken": "C", "expiration": "D"]
        let output = try CredentialProcessCommand.output(.object(whole))
        #expect(output == ["Version": 1, "AccessKeyId": "A", "SecretAccessKey": "B", "SessionToken": "C", "Expiration": "D"])
        for name in whole.names {
            for wrong in [.null, "", 1] as [JSONValue] {
                var part = whole
                part[name] = wrong
                #expect(throws: Failure.self) { _ = try CredentialProcessCommand.output(.object(part)) }
            }
        }
    }

    @Test("cannot control the terminal")
    func terminal() {
        #expect(Failure(description: "a\u{1B}[2J\u{202E}\r\nbéc").description == "a%1B[2J%E2%80%AE%0D\nbéc")
    }
}
