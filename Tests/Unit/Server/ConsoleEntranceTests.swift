import Calls
import Directory
import Federation
import HTTPTypes
import Testing

@testable import VirgaServer

@Suite("The ways into the web console")
struct ConsoleEntranceTests {
    private struct NoResidents: Residents {
        func isBucket(_ name: String) -> Bool { name == "known" }
        func isOSSBucket(_ name: String) -> Bool { false }
        func isS3Bucket(_ name: String) -> Bool { name == "known" }
        func bucketOfHost(_ host: String) -> String? { nil }
        func isProvider(_ name: String) -> Bool { false }
        func issuer(atHost host: String, path: String) -> IssuerPlace? { nil }
        func hasMobileBackends() -> Bool { false }
        func hasVendingMachine(_ kind: VendingMachines.Kind) -> Bool { false }
        func hasInstances() -> Bool { false }
        func hasTasks() -> Bool { false }
        func hasIdentityCenter() -> Bool { false }
        func isIdentityCenter(host: String) -> Bool { false }
        func userPool(ofDomain host: String) -> String? { nil }
        func isAppServer(_ path: String) -> Bool { false }
        func vendingMachineOfHost(_ host: String) -> VendingMachines.Kind? { nil }
        func samlProvider() -> String? { nil }
    }

    private static func facts(
        _ method: HTTPRequest.Method = .get, host: String = "localhost", path: String = "/", query: String = "",
        authorization: String? = nil,
        accept: String? = "text/html,application/xhtml+xml", isOn: Bool = true
    ) -> RoutingFacts {
        var names = HostNames()
        names.hasConsole = isOn
        var headers: HTTPFields = [:]
        headers[.accept] = accept
        return RoutingFacts(
            method: method, host: host, path: path, query: query, authorization: authorization, names: names, headers: headers,
            residents: NoResidents())
    }

    @Test("a browser at the root is sent to the console", arguments: ["localhost", "127.0.0.1", "virga", "nothing.localhost"])
    func browser(host: String) { #expect(Route(Self.facts(host: host)) == .console) }

    @Test("every other request keeps its route")
    func others() {
        let others = [
            Self.facts(.head), Self.facts(.post), Self.facts(path: "/known"), Self.facts(query: "list-type=2"),
            Self.facts(authorization: "AWS4-HMAC-SHA256 Credential=k/20261121/us-east-1/s3/aws4_request"), Self.facts(accept: "*/*"),
            Self.facts(accept: nil), Self.facts(accept: "application/json, text/html"), Self.facts(host: "known.localhost"),
            Self.facts(host: "s3.amazonaws.com"), Self.facts(host: "evil.example"), Self.facts(isOn: false),
        ]
        for facts in others { #expect(Route(facts) != .console) }
    }

    @Test("the console's own port serves it, the control API and nothing else")
    func ownPort() {
        func response(_ method: HTTPRequest.Method, _ target: String) -> Int? {
            ConsoleEntrance.response(
                besides: Request(method: method, target: target, authority: "virga:4567", headers: [:], body: RequestBody()))?.status.code
        }
        #expect(response(.get, "/_virga/ui/") == nil)
        #expect(response(.post, "/_virga/ui/reset") == nil)
        #expect(response(.get, "/_virga/journal?limit=1") == nil)
        #expect(response(.get, "/") == 303)
        #expect(response(.post, "/") == 404)
        #expect(response(.get, "/known") == 404)
        #expect(response(.get, "/_virgax/") == 404)
        #expect(response(.get, "/idp/company/authorize") == 404)
    }
}
