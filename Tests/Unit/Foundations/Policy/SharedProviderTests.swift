import Testing

@testable import Policy

@Suite("Trust policies for shared identity providers")
struct SharedProviderTests {
    /// Returns whether a trust policy with one statement can be saved.
    private func isAccepted(
        _ issuer: String, _ condition: String, action: String = "sts:AssumeRoleWithWebIdentity", effect: String = "Allow"
    ) throws -> Bool {
        let provider = issuer.contains("/") || !Self.builtIn.contains(issuer) ? "arn:aws:iam::000000000000:oidc-provider/\(issuer)" : issuer
        let text = """
            {"Version": "2012-10-17", "Statement": [{"Effect": "\(effect)", "Principal": {"Federated": "\(provider)"}, "Action": "\(action)",
             "Condition": {\(condition)}}]}
            """
        let document = try PolicyDocument(parsing: text, kind: .trust)
        do {
            try document.checkSharedProviders()
            return true
        } catch {
            return false
        }
    }

    private static let builtIn = ["accounts.google.com", "www.amazon.com", "graph.facebook.com", "cognito-identity.amazonaws.com"]
    private static let gitHub = "token.actions.githubusercontent.com"

    /// The shared issuers with the claim that policies must test.
    static let issuers = [
        ("agent.buildkite.com", "sub"), ("api.pulumi.com/oidc", "aud"), ("app.terraform.io", "sub"), ("gitlab.com", "sub"),
        ("oidc-configuration.audit-log.githubusercontent.com", "sub"), ("oidc.codefresh.io", "sub"), ("oidc.vercel.com", "aud"),
        ("proidc.upbound.io", "sub"), ("sandboxes.cloud", "aud"), ("scalr.io", "sub"), ("studio.datachain.ai/api", "sub"),
        ("tokens.cloud.shisho.dev", "sub"), ("vstoken.actions.githubusercontent.com", "sub"), (gitHub, "sub"),
        (gitHub, "job_workflow_ref"), ("oidc.op1.openshiftapps.com/2f785sojlpb85i7402pk3qogugim5nfb", "sub"),
        ("oidc.op1.openshiftapps.com/2c51blsaqa9gkjt0o9rt11mle8mmropu", "sub"),
        ("rh-oidc.s3.us-east-1.amazonaws.com/22ejnvnnturfmt6km08idd0nt4hekbn7", "sub"),
        ("rh-oidc.s3.us-east-1.amazonaws.com/23e3sd27sju1hoou6ohfs68vbno607tr", "sub"),
        ("rh-oidc.s3.us-east-1.amazonaws.com/23ne21h005qjl3n33d8dui5dlrmv2tmg", "sub"),
        ("rh-oidc.s3.us-east-1.amazonaws.com/24jrf12m5dj7ljlfb4ta2frhrcoadm26", "sub"), ("cognito-identity.amazonaws.com", "aud"),
    ]

    @Test("need a condition on the claim of the issuer (K29)", arguments: issuers)
    func claim(issuer: String, claim: String) throws {
        #expect(try isAccepted(issuer, #""StringEquals": {"\#(issuer):\#(claim)": "a"}"#))
        #expect(try isAccepted(issuer, #""StringLike": {"\#(issuer):\#(claim)": "a*"}"#))
        #expect(try isAccepted(issuer, #""ForAnyValue:StringEquals": {"\#(issuer):\#(claim)": "a"}"#))
        #expect(try !isAccepted(issuer, #""StringEquals": {"\#(issuer):amr": "a"}"#))
        #expect(try !isAccepted(issuer, #""StringNotEquals": {"\#(issuer):\#(claim)": "a"}"#))
        #expect(try !isAccepted(issuer, #""StringEqualsIfExists": {"\#(issuer):\#(claim)": "a"}"#))
        #expect(try !isAccepted(issuer, #""StringLike": {"\#(issuer):\#(claim)": "*"}"#))
    }

    @Test("of Azure Sentinel need the name of the session (K29)")
    func sentinel() throws {
        let issuer = "sts.windows.net/33e01921-4d64-4f8c-a055-5bdaffd5e33d"
        #expect(try isAccepted(issuer, #""StringEquals": {"sts:RoleSessionName": "a"}"#))
        #expect(try !isAccepted(issuer, #""StringEquals": {"\#(issuer):sub": "a"}"#))
    }

    @Test(
        "may have values that are not * (K29)",
        arguments: [
            ("gitlab.com", #""*""#, false), ("gitlab.com", #""?""#, true), ("gitlab.com", #""**""#, true), ("gitlab.com", #""*?""#, true),
            ("gitlab.com", #""""#, true), ("gitlab.com", "[]", true), ("gitlab.com", #"["a", "*"]"#, false),
            (gitHub, #""*""#, false), (gitHub, #""*:ref""#, false), (gitHub, #""""#, false), (gitHub, #"" ""#, false),
            (gitHub, #""?""#, true),
            (gitHub, #""?*""#, true), (gitHub, "[]", true), (gitHub, #""repo:o/*""#, true),
        ])
    func values(issuer: String, value: String, isAccepted accepted: Bool) throws {
        #expect(try isAccepted(issuer, #""StringLike": {"\#(issuer):sub": \#(value)}"#) == accepted)
    }

    @Test("may spell the key in any letter case, but not that of Google, Amazon and Facebook (K29)")
    func letterCase() throws {
        #expect(try isAccepted("gitlab.com", #""StringEquals": {"GitLab.com:SUB": "a"}"#))
        #expect(try isAccepted("accounts.google.com", #""StringEquals": {"accounts.google.com:oaud": "a"}"#))
        #expect(try !isAccepted("accounts.google.com", #""StringEquals": {"accounts.google.com:AUD": "a"}"#))
        #expect(try !isAccepted("accounts.google.com", #""StringLike": {"accounts.google.com:aud": "a"}"#))
        #expect(try !isAccepted("graph.facebook.com", #""StringEquals": {"graph.facebook.com:App_ID": "a"}"#))
        #expect(try isAccepted("www.amazon.com", #""StringEquals": {"www.amazon.com:app_id": "a"}"#))
    }

    @Test("are checked for an issuer of GitHub with a path (K29)")
    func enterprise() throws {
        #expect(try !isAccepted("\(Self.gitHub)/octo", #""StringEquals": {"\#(Self.gitHub):sub": "a"}"#))
        #expect(try isAccepted("\(Self.gitHub)/octo", #""StringEquals": {"\#(Self.gitHub)/octo:sub": "a"}"#))
    }

    @Test("are checked only if they allow AssumeRoleWithWebIdentity (K29)")
    func scope() throws {
        #expect(try !isAccepted("gitlab.com", "", action: "sts:*"))
        #expect(try isAccepted("gitlab.com", "", action: "sts:TagSession"))
        #expect(try isAccepted("gitlab.com", "", effect: "Deny"))
        #expect(try isAccepted("login.example", ""))
    }
}
