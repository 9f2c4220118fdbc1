import Fixtures
import Testing
import WireFormats

@testable import Cloud
@testable import Directory
@testable import Policy

@Suite("The store of decided requests")
struct UsageTests {
    private let directory = Directory()

    private func document(_ resource: String = "*") throws -> PolicyDocument {
        try PolicyDocument(
            json: [
                "Version": "2012-10-17",
                "Statement": [["Effect": "Allow", "Action": "s3:*", "Resource": .string(resource)]],
            ], kind: .identity)
    }

    private func request(_ resource: String, _ documents: PolicyDocument...) -> DecidedRequest {
        let account = "000000000000"
        let ann = Principal(.user(arn: "arn:aws:iam::\(account):user/ann", id: "AIDAANN"), account: account)
        return DecidedRequest(
            context: RequestContext(action: "s3:GetObject", resource: resource, principal: ann, resourceAccount: account),
            policies: PolicySet(identity: documents.map { AttachedPolicy("p", $0) }), isAllowed: true)
    }

    private func record(_ request: DecidedRequest, _ usage: Usage, isServed: Bool = true) {
        usage.record(request, operation: "s3:GetObject", isServed: isServed, in: directory)
    }

    @Test("is off until it is turned on")
    func off() {
        let usage = Usage()
        #expect(!usage.isEnabled)
        usage.isEnabled = true
        #expect(usage.isEnabled)
        #expect(usage.contents.isEnabled)
    }

    @Test("keeps equal requests once, and counts them")
    func distinct() throws {
        let usage = Usage()
        let policy = try document()
        for _ in 1...3 { record(request("arn:aws:s3:::box/a", policy), usage) }
        // The same text in another document is the same policy.
        record(request("arn:aws:s3:::box/a", try document()), usage)
        record(request("arn:aws:s3:::box/b", policy), usage)
        record(request("arn:aws:s3:::box/a", try document("arn:aws:s3:::box/*")), usage)
        record(request("arn:aws:s3:::box/a", policy), usage, isServed: false)
        #expect(usage.contents.questions.map(\.count) == [4, 1, 1, 1])
        usage.removeAll()
        #expect(usage.contents.questions.isEmpty)
        #expect(usage.contents.bytes == 0)
    }

    @Test("stays within its size, and says that it is not complete")
    func bound() throws {
        let usage = Usage(capacity: 20_000)
        let policy = try document()
        for number in 1...100 { record(request("arn:aws:s3:::box/\(number)", policy), usage) }
        let contents = usage.contents
        #expect(!contents.isComplete)
        #expect(contents.bytes <= 20_000)
        #expect(contents.questions.count > 5)
        // Requests that are known are counted all the same.
        record(request("arn:aws:s3:::box/1", policy), usage)
        #expect(usage.contents.questions[0].count == 2)
    }

    @Test("counts the texts of policies toward its size")
    func documents() throws {
        let usage = Usage(capacity: 100_000)
        for number in 1...1000 { record(request("arn:aws:s3:::box/a", try document("arn:aws:s3:::\(number)/*")), usage) }
        #expect(!usage.contents.isComplete)
        #expect(usage.contents.bytes <= 100_000)
    }
}

@Suite("The coverage of a sandbox's policies")
struct PolicyCoverageTests {
    private static let seed = """
        {accounts: [{id: "000000000000",
          users: [{name: "ann", policies: {own: {Version: "2012-10-17", Statement: [
            {Sid: "Read", Effect: "Allow", Action: "s3:GetObject", Resource: "*"},
            {Sid: "Write", Effect: "Allow", Action: "s3:PutObject", Resource: "*"},
            {Sid: "NoSecrets", Effect: "Deny", Action: "s3:*", Resource: "arn:aws:s3:::box/secret/*"}]}}}],
          roles: [{name: "app", trustPolicy: {Statement: [
            {Effect: "Allow", Principal: {Federated: "graph.facebook.com"}, Action: "sts:AssumeRoleWithWebIdentity"}]}}],
          buckets: [{name: "box"}]}]}
        """

    private func record(_ action: String, _ resource: String, _ cloud: Cloud) throws {
        let ann = try #require(cloud.directory.user("ann", in: "000000000000"))
        let policies = PolicySet(identity: ann.policies.identity)
        let context = RequestContext(
            action: action, resource: resource, principal: Principal(.user(arn: ann.arn, id: ann.user.id), account: "000000000000"),
            resourceAccount: "000000000000")
        let isAllowed = policies.decision(for: context).isAllowed
        cloud.usage.record(
            DecidedRequest(context: context, policies: policies, isAllowed: isAllowed), operation: action, isServed: isAllowed,
            in: cloud.directory)
    }

    @Test("lists every policy, and what each statement did")
    func uses() async throws {
        try await withSandbox(Self.seed) { cloud async throws in
            let unused = PolicyCoverage(of: cloud)
            #expect(unused.count(.never) == 4)
            #expect(unused.requests == 0)
            try record("s3:GetObject", "arn:aws:s3:::box/a", cloud)
            try record("s3:GetObject", "arn:aws:s3:::box/secret/a", cloud)
            try record("s3:DeleteObject", "arn:aws:s3:::box/secret/a", cloud)
            let coverage = PolicyCoverage(of: cloud)
            let own = try #require(coverage.policies.first { $0.name == "own" })
            #expect(own.statements.map(\.use) == [.decided, .never, .decided])
            #expect(own.statements.map(\.applied) == [2, 0, 2])
            #expect(own.statements.map(\.decided) == [1, 0, 1])
            #expect(own.holder == "user ann in 000000000000")
            #expect(own.file == "000000000000/user/ann/own.json")
            #expect(coverage.policies.first { $0.type == .roleTrust }?.statements.map(\.use) == [.never])
        }
    }

    @Test("counts requests before a reset, since the policies are the same")
    func reset() async throws {
        try await withSandbox(Self.seed) { cloud async throws in
            try record("s3:PutObject", "arn:aws:s3:::box/a", cloud)
            try await cloud.reset()
            let own = try #require(PolicyCoverage(of: cloud).policies.first { $0.name == "own" })
            #expect(own.statements.map(\.use) == [.never, .decided, .never])
        }
    }

    @Test("counts by the minute, then by longer intervals, and forgets no decision")
    func history() {
        var history = UsageHistory()
        for minute in 0..<UsageHistory.mostIntervals { history.count(minute % 2 == 0, at: Timestamp(seconds: Int64(minute) * 60 + 7)) }
        #expect(history.step == 60)
        #expect(history.intervals.count == UsageHistory.mostIntervals)
        history.count(false, at: Timestamp(seconds: -1))
        #expect(history.step == 3600)
        #expect(history.intervals.first == .init(start: Timestamp(seconds: -3600), allowed: 0, denied: 1))
        #expect(history.intervals[1] == .init(start: Timestamp(seconds: 0), allowed: 30, denied: 30))
        // A clock that stands at any date.
        for year in 0..<2_000 { history.count(true, at: Timestamp(seconds: Int64(year) * 31_536_000)) }
        #expect(history.intervals.count <= UsageHistory.mostIntervals)
        #expect(history.intervals.reduce(0) { $0 + $1.allowed } == UsageHistory.mostIntervals / 2 + 2_000)
        #expect(history.intervals.reduce(0) { $0 + $1.denied } == UsageHistory.mostIntervals / 2 + 1)
    }
}
