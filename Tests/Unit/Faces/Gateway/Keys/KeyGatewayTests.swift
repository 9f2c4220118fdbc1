import Cloud
import Federation
import Fixtures
import GatewayFace
import HTTPTypes
import RequestSigning
import Testing
import WireFormats

@Suite("Keys of a forwarded KMS, for S3")
struct KeyGatewayTests {
    private static let key = "arn:aws:kms:us-east-1:\(GatewayOfATest.account):key/k1"
    private static let policy = """
        {"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::\(GatewayOfATest.account):root"},\
        "Action":"kms:*","Resource":"*"}]}
        """

    /// Runs a test with an upstream that has one key, with the alias `alias/app`.
    private func run(_ test: (KeyGateway, UpstreamStub) async throws -> Void) async throws {
        var rules = GatewayRules()
        try rules.upstreams.add("kms=http://moto:5000")
        let stub = UpstreamStub(PolicyStub([Self.key: Self.policy])) { order in
            let id = (try? JSONValue(parsing: order.body))?["KeyId"]?.stringValue ?? ""
            guard id.hasSuffix("alias/app") || id == Self.key else {
                return .json(["__type": "NotFoundException"], status: .badRequest)
            }
            return .json(["KeyMetadata": ["Arn": .string(Self.key)]])
        }
        let chosen = rules
        try await withSandbox { cloud async throws in
            let gateway = try #require(KeyGateway(cloud: cloud, rules: chosen) { try stub.send($0) })
            try await test(gateway, stub)
        }
    }

    @Test("G40: are found by identifier, ARN and alias", arguments: ["k1", key, "alias/app"])
    func names(_ name: String) async throws {
        try await run { gateway, _ async throws in
            let found = try await gateway.find(name, account: GatewayOfATest.account, region: "us-east-1")
            #expect(found?.arn == Self.key)
            #expect(found?.account == GatewayOfATest.account)
            #expect(found?.access.policy?.isRequired == true)
        }
    }

    @Test("G40: an unknown key is not found", arguments: ["k2", "alias/other"])
    func unknown(_ name: String) async throws {
        try await run { gateway, _ async throws in
            let found = try await gateway.find(name, account: GatewayOfATest.account, region: "us-east-1")
            #expect(found == nil)
        }
    }

    @Test("G40: data keys are requested in the account of the key")
    func dataKey() async throws {
        try await run { gateway, stub async throws in
            let response = try await gateway.generateDataKey(["KeyId": .string(Self.key)], account: "111122223333", region: "us-east-1")
            #expect(response.status == 200)
            let order = try #require(stub.orders.first)
            #expect(order.request.fields[.authorization]?.contains("Credential=111122223333/") == true)
            #expect(order.upstream == "http://moto:5000")
        }
    }

    @Test("G40: without a forwarded KMS there are none")
    func none() async throws {
        var rules = GatewayRules()
        try rules.upstreams.add("sqs=http://moto:5000")
        let chosen = rules
        try await withSandbox { cloud async throws in
            #expect(KeyGateway(cloud: cloud, rules: chosen, send: { _ in .json([:]) }) == nil)
        }
    }
}
