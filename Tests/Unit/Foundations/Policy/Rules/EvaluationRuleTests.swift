import Policy
import Testing

/// A table for each rule that combines policies of several types into one decision. The policies are shortened from those on the pages that
/// are named.
@Suite("Rules of evaluation")
struct EvaluationRuleTests {
    /// IAM User Guide, "The difference between explicit and implicit denies": lists and reads, but no reports.
    @Test(
        "requests are denied by default, and an explicit deny overrides every allow",
        arguments: [
            RuleCase("allowed", "iam:ListUsers", is: true), RuleCase("allowed by wildcard", "iam:GetRole", is: true),
            RuleCase("denied though allowed", "iam:GetCredentialReport", is: false),
            RuleCase("never mentioned", "iam:CreatePolicy", is: false),
            RuleCase("denied and never allowed", "iam:GenerateCredentialReport", is: false),
        ])
    func explicitAndImplicit(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":[{"Sid":"AllowGetList","Effect":"Allow","Action":["iam:Get*","iam:List*"],"Resource":"*"},
                 {"Sid":"DenyReports","Effect":"Deny","Action":"iam:*Report","Resource":"*"}]}
                """)
    }

    /// "IAM JSON policy elements: NotAction": everything but IAM; with Deny, everything but that is denied.
    @Test(
        "NotAction matches all other actions",
        arguments: [
            RuleCase("another", "s3:GetObject", is: true), RuleCase("the excepted one", "iam:CreateUser", is: false),
            RuleCase("without regard to case", "IAM:createuser", is: false),
            RuleCase("denied, not being the exception", "ec2:RunInstances", with: ["aws:MultiFactorAuthPresent": .one("false")], is: false),
            RuleCase(
                "not denied, being the exception", "sts:GetSessionToken", with: ["aws:MultiFactorAuthPresent": .one("false")], is: true),
        ])
    func notAction(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":[{"Effect":"Allow","NotAction":"iam:*","Resource":"*"},
                 {"Effect":"Deny","NotAction":["sts:GetSessionToken","iam:EnableMFADevice"],"Resource":"*",
                  "Condition":{"Bool":{"aws:MultiFactorAuthPresent":"false"}}}]}
                """)
    }

    /// "IAM JSON policy elements: NotResource": only the team can access the bucket's other folders.
    @Test(
        "NotResource matches all other resources",
        arguments: [
            RuleCase("the folder", on: "arn:aws:s3:::HRBucket/Payroll/a", is: true),
            RuleCase("another folder", on: "arn:aws:s3:::HRBucket/Other/a", is: false),
            RuleCase("another bucket", on: "arn:aws:s3:::Box/a", is: false),
            RuleCase("the folder itself", on: "arn:aws:s3:::HRBucket/Payroll", is: true),
            RuleCase("with regard to case", on: "arn:aws:s3:::hrbucket/Payroll/a", is: false),
        ])
    func notResource(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:*","Resource":"*"},
                 {"Effect":"Deny","Action":"s3:*","NotResource":["arn:aws:s3:::HRBucket/Payroll","arn:aws:s3:::HRBucket/Payroll/*"]}]}
                """)
    }

    /// "IAM policy elements: Variables and tags": a user's own folder, a default, escapes.
    @Test(
        "variables are replaced by values of the request",
        arguments: [
            RuleCase("own folder", on: "arn:aws:s3:::mybucket/ann/a", with: ["aws:username": .one("ann")], is: true),
            RuleCase("another's folder", on: "arn:aws:s3:::mybucket/bob/a", with: ["aws:username": .one("ann")], is: false),
            RuleCase("a name that looks like a wildcard", on: "arn:aws:s3:::mybucket/bob/a", with: ["aws:username": .one("*")], is: false),
            RuleCase("the own team", on: "arn:aws:s3:::teams/red/a", with: ["aws:PrincipalTag/team": .one("red")], is: true),
            RuleCase("no team", on: "arn:aws:s3:::teams/company-wide/a", is: true),
            RuleCase("no team, another's folder", on: "arn:aws:s3:::teams/red/a", is: false),
            RuleCase("an asterisk that is one", on: "arn:aws:s3:::odd/*", is: true),
            RuleCase("and no other", on: "arn:aws:s3:::odd/a", is: false),
            RuleCase("a dollar that is one", on: "arn:aws:s3:::money/$", is: true),
        ])
    func variables(_ example: RuleCase) throws {
        try example.check(
            identity: """
                {"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Resource":["arn:aws:s3:::mybucket/${aws:username}/*",
                 "arn:aws:s3:::teams/${aws:PrincipalTag/team, 'company-wide'}/*","arn:aws:s3:::odd/${*}","arn:aws:s3:::money/${$}"]}}
                """)
    }

    /// The same page: "must be included in 2012-10-17"; in older versions they are literal.
    @Test(
        "the version of 2008 has no variables",
        arguments: [
            RuleCase("own folder", on: "arn:aws:s3:::mybucket/ann/a", with: ["aws:username": .one("ann")], is: false),
            RuleCase("a folder of that name", on: "arn:aws:s3:::mybucket/${aws:username}/a", with: ["aws:username": .one("ann")], is: true),
        ])
    func olderVersion(_ example: RuleCase) throws {
        for version in [#""Version":"2008-10-17","#, ""] {
            try example.check(
                identity:
                    #"{\#(version)"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"arn:aws:s3:::mybucket/${aws:username}/*"}}"#)
        }
    }

    /// "Permissions boundaries for IAM entities": the boundary of ShirleyRodriguez and her policy.
    @Test(
        "a boundary limits what identity policies allow, and allows nothing itself",
        arguments: [
            RuleCase("allowed by both", "s3:GetObject", is: true),
            RuleCase("allowed by the boundary alone", "cloudwatch:PutMetricData", is: false),
            RuleCase("allowed by the policy alone", "iam:CreateUser", is: false), RuleCase("allowed by neither", "kms:Encrypt", is: false),
        ])
    func boundary(_ example: RuleCase) throws {
        example.check(
            PolicySet(
                identity: [
                    try identityPolicy(
                        #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":["iam:CreateUser","s3:*"],"Resource":"*"}}"#)
                ],
                boundary: try identityPolicy(
                    #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":["s3:*","cloudwatch:*","ec2:*"],"Resource":"*"}}"#)))
    }

    /// "Policies and permissions in IAM", "Session policies": the intersection.
    @Test(
        "a session policy limits the role, and allows nothing itself",
        arguments: [
            RuleCase("both", "s3:GetObject", by: roleSession, is: true),
            RuleCase("the role alone", "s3:PutObject", by: roleSession, is: false),
            RuleCase("the session alone", "sqs:SendMessage", by: roleSession, is: false),
        ])
    func session(_ example: RuleCase) throws {
        example.check(
            PolicySet(
                identity: [try identityPolicy(#"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*"}}"#)],
                session: [
                    try identityPolicy(
                        #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":["s3:GetObject","sqs:*"],"Resource":"*"}}"#)
                ]))
    }

    /// "Policy evaluation for requests within a single account": the resource's policy, or the identity's, is enough.
    @Test(
        "within one account either side is enough",
        arguments: [
            RuleCase("named by the bucket", "s3:GetObject", is: true),
            RuleCase("allowed by the own policy", "s3:ListBucket", on: "arn:aws:s3:::b", is: true),
            RuleCase("allowed by neither", "s3:PutObject", is: false),
            RuleCase("denied by the bucket", "s3:DeleteBucket", on: "arn:aws:s3:::b", is: false),
        ])
    func sameAccount(_ example: RuleCase) throws {
        example.check(
            PolicySet(
                identity: [
                    try identityPolicy(
                        #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":["s3:ListBucket","s3:DeleteBucket"],"Resource":"*"}}"#
                    )
                ],
                resource: try resourcePolicy(
                    """
                    {"Version":"2012-10-17","Statement":[
                     {"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::123456789012:user/staff/alice"},"Action":"s3:GetObject","Resource":"arn:aws:s3:::b/*"},
                     {"Effect":"Deny","Principal":"*","Action":"s3:DeleteBucket","Resource":"arn:aws:s3:::b"}]}
                    """)))
    }

    /// "Cross-account policy evaluation logic": Carlos, whose account and whose bucket must both allow the request.
    @Test(
        "across accounts both sides must allow",
        arguments: [
            RuleCase("both", "s3:ListBucket", on: "arn:aws:s3:::logs", owner: otherAccount, is: true),
            RuleCase("the own side alone", "s3:GetObject", on: "arn:aws:s3:::logs/k", owner: otherAccount, is: false),
            RuleCase("the bucket's side alone", "s3:PutObject", on: "arn:aws:s3:::logs/k", owner: otherAccount, is: false),
            RuleCase("root of the own account, let in", "s3:PutObject", on: "arn:aws:s3:::logs/k", by: root, owner: otherAccount, is: true),
            RuleCase(
                "root of the own account, not let in", "s3:GetObject", on: "arn:aws:s3:::logs/k", by: root, owner: otherAccount, is: false),
        ])
    func crossAccount(_ example: RuleCase) throws {
        example.check(
            PolicySet(
                identity: [
                    try identityPolicy(
                        #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":["s3:ListBucket","s3:GetObject"],"Resource":["arn:aws:s3:::logs","arn:aws:s3:::logs/*"]}}"#
                    )
                ],
                resource: try resourcePolicy(
                    """
                    {"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":"123456789012"},
                     "Action":["s3:ListBucket","s3:PutObject"],"Resource":["arn:aws:s3:::logs","arn:aws:s3:::logs/*"]}}
                    """)))
    }

    /// "AWS JSON policy elements: NotPrincipal": a deny for all but one user, who is named together with the account.
    @Test(
        "NotPrincipal exempts callers that it names in each of their forms",
        arguments: [
            RuleCase("the user", is: true), RuleCase("the account's root", by: root, is: true),
            RuleCase("a role", by: roleSession, is: false),
            RuleCase("nobody in particular", by: .anonymous, is: false),
        ])
    func notPrincipal(_ example: RuleCase) throws {
        let everything = #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}"#
        example.check(
            PolicySet(
                identity: [try identityPolicy(everything)],
                resource: try resourcePolicy(
                    """
                    {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":"*","Action":"s3:*","Resource":"*"},
                     {"Effect":"Deny","NotPrincipal":{"AWS":["arn:aws:iam::123456789012:user/staff/alice","arn:aws:iam::123456789012:root"]},
                      "Action":"s3:*","Resource":"*"}]}
                    """)))
    }

    /// "Access to AWS accounts owned by third parties": the external ID.
    @Test(
        "a role's trust policy must allow by itself",
        arguments: [
            RuleCase("trusted, with the identifier", "sts:AssumeRole", by: root, with: ["sts:ExternalId": .one("12345")], is: true),
            RuleCase("trusted, with another", "sts:AssumeRole", by: root, with: ["sts:ExternalId": .one("54321")], is: false),
            RuleCase("trusted, without", "sts:AssumeRole", by: root, is: false),
            RuleCase("another action", "sts:TagSession", by: root, with: ["sts:ExternalId": .one("12345")], is: false),
            RuleCase(
                "not trusted", "sts:AssumeRole", by: Principal(.root, account: otherAccount), with: ["sts:ExternalId": .one("12345")],
                is: false),
        ])
    func trust(_ example: RuleCase) throws {
        example.check(
            PolicySet(
                resource: try resourcePolicy(
                    """
                    {"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":"123456789012"},"Action":"sts:AssumeRole",
                     "Condition":{"StringEquals":{"sts:ExternalId":"12345"}}}}
                    """, kind: .trust)))
    }

    /// "Permissions for GetFederationToken": the intersection of the user's and the session's policies, or what a resource policy allows
    /// the session.
    @Test(
        "a federated user is allowed what both the user and the session are allowed",
        arguments: [
            RuleCase("both", "s3:GetObject", by: federatedUser, is: true),
            RuleCase("the user alone", "s3:PutObject", by: federatedUser, is: false),
            RuleCase("the session alone", "sqs:SendMessage", by: federatedUser, is: false),
            RuleCase("the session, by the resource", "s3:DeleteObject", by: federatedUser, is: true),
        ])
    func federatedUsers(_ example: RuleCase) throws {
        example.check(
            PolicySet(
                identity: [try identityPolicy(#"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"s3:*","Resource":"*"}}"#)],
                session: [
                    try identityPolicy(
                        #"{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":["s3:GetObject","sqs:*"],"Resource":"*"}}"#)
                ],
                resource: try resourcePolicy(
                    """
                    {"Version":"2012-10-17","Statement":{"Effect":"Allow","Principal":{"AWS":"arn:aws:sts::123456789012:federated-user/guest"},
                     "Action":"s3:DeleteObject","Resource":"*"}}
                    """)))
    }

    /// "AWS account root user": everything in its account that no resource policy denies; boundaries and identity policies do not apply.
    @Test(
        "only a resource policy limits the root user",
        arguments: [
            RuleCase("anything", "iam:DeleteUser", on: "*", by: root, is: true),
            RuleCase("denied by the bucket", "s3:PutObject", by: root, is: false),
            RuleCase("elsewhere", "iam:DeleteUser", on: "*", by: root, owner: otherAccount, is: false),
        ])
    func rootUser(_ example: RuleCase) throws {
        let nothing = try identityPolicy(#"{"Version":"2012-10-17","Statement":{"Effect":"Deny","Action":"*","Resource":"*"}}"#)
        example.check(
            PolicySet(
                identity: [nothing], boundary: nothing,
                resource: try resourcePolicy(
                    #"{"Version":"2012-10-17","Statement":{"Effect":"Deny","Principal":"*","Action":"s3:PutObject","Resource":"*"}}"#)))
    }
}
