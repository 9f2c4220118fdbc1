import GatewayFace
import Testing

@Suite("The upstreams of services")
struct UpstreamsTests {
    @Test("G1: a service goes to the URL of its rule, named as in policies or in credential scopes")
    func rules() throws {
        var upstreams = Upstreams()
        #expect(upstreams.isEmpty)
        try upstreams.add("sqs,cloudwatch=http://moto:5000/")
        try upstreams.add("kms=https://kms.example")
        #expect(upstreams.url(signing: "sqs") == "http://moto:5000")
        #expect(upstreams.url(signing: "monitoring") == "http://moto:5000")
        #expect(upstreams.url(signing: "kms") == "https://kms.example")
        #expect(upstreams.url(signing: "sns") == nil)
        #expect(upstreams.all == ["http://moto:5000", "https://kms.example"])
        #expect(upstreams.services(at: "http://moto:5000") == ["monitoring", "sqs"])
        #expect(upstreams.services(at: "http://other") == [])
    }

    @Test("G1: a star means every service that no rule names")
    func others() throws {
        var upstreams = Upstreams()
        try upstreams.add("sqs=http://elasticmq:9324")
        try upstreams.add("*=http://moto:5000")
        #expect(upstreams.url(signing: "sqs") == "http://elasticmq:9324")
        #expect(upstreams.url(signing: "dynamodb") == "http://moto:5000")
        #expect(upstreams.url(signing: "s3") == nil)
    }

    private static let refused: [(rule: String, error: UpstreamError)] = [
        ("sqs", .noURL("sqs")), ("sqs=moto:5000", .malformedURL("moto:5000")),
        ("sqs=http://moto:5000/x", .malformedURL("http://moto:5000/x")),
        ("s3=http://moto:5000", .ownService("s3")), ("sqs,iam=http://moto:5000", .ownService("iam")),
        ("sts=http://moto:5000", .ownService("sts")), ("nothing=http://moto:5000", .unknownService("nothing")),
        ("=http://moto:5000", .unknownService("")),
    ]

    @Test("G5: rules that cannot hold are refused with a message", arguments: refused)
    func refusals(_ rule: String, _ error: UpstreamError) {
        var upstreams = Upstreams()
        #expect(throws: error) { try upstreams.add(rule) }
        #expect(!error.message.isEmpty)
    }
}
