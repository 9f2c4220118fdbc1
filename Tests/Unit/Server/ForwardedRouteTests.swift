import Calls
import GatewayFace
import HTTPTypes
import Testing

@testable import VirgaServer

@Suite("Routes of forwarded services")
struct ForwardedRouteTests {
    static let rows = [
        RouteRow(authorization: RouteRow.signed("sqs"), route: .forwarded(service: "sqs")),
        RouteRow(authorization: RouteRow.signed("monitoring"), route: .forwarded(service: "monitoring")),
        RouteRow(path: "/000000000000/orders", authorization: RouteRow.signed("sqs"), route: .forwarded(service: "sqs")),
        // A host that is called like the service.
        RouteRow(host: "sqs", authorization: RouteRow.signed("sqs"), route: .forwarded(service: "sqs")),
        RouteRow(
            host: "sqs.eu-west-1.amazonaws.com", authorization: RouteRow.signed("sqs"), route: .forwarded(service: "sqs")),
        RouteRow(query: RouteRow.presigned("sqs"), route: .forwarded(service: "sqs")),
        // Calls without a signature, which the face refuses.
        RouteRow(host: "sqs.eu-west-1.amazonaws.com", route: .forwarded(service: "sqs")),
        RouteRow(method: .post, target: "AmazonSQS.ListQueues", route: .forwarded(service: "sqs")),
        RouteRow(query: "Action=ListQueues&Version=2012-11-05", route: .forwarded(service: "sqs")),
        // Everything else is as without forwarded services.
        RouteRow(authorization: RouteRow.signed("kms"), route: .unavailable(service: "kms")),
        RouteRow(method: .post, target: "TrentService.ListKeys", route: .unavailable(service: "TrentService")),
        RouteRow(path: "/box/a", authorization: RouteRow.signed("s3"), route: .s3(bucketFromHost: nil)),
        RouteRow(authorization: RouteRow.signed("sts"), route: .sts), RouteRow(authorization: RouteRow.signed("iam"), route: .iam),
        RouteRow(path: "/_virga/journal", authorization: RouteRow.signed("sqs"), route: .control(path: "/journal")),
    ]

    @Test("G1: the scope, the host, the target and the version name a service", arguments: rows)
    func route(_ row: RouteRow) throws {
        var row = row
        var upstreams = Upstreams()
        try upstreams.add("sqs,cloudwatch=http://moto:5000")
        row.upstreams = upstreams
        row.check()
    }

    @Test("G1: an unsigned form belongs to the service of its version")
    func form() throws {
        var upstreams = Upstreams()
        try upstreams.add("sqs=http://moto:5000")
        #expect(Route(action: "ListQueues", version: "2012-11-05", upstreams: upstreams) == .forwarded(service: "sqs"))
        #expect(Route(action: "ListTopics", version: "2010-03-31", upstreams: upstreams) == .s3(bucketFromHost: nil))
        #expect(Route(action: "ListUsers", version: "2010-05-08", upstreams: upstreams) == .iam)
    }
}
