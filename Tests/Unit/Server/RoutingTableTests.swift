import HTTPTypes
import Testing

@testable import VirgaServer

@Suite("The rows of the routing table")
struct RoutingTableTests {
    @Test("route the requests that have their mark", arguments: RoutingTable.rows.indices)
    func mark(index: Int) {
        let row = RoutingTable.rows[index]
        for method in row.methods.isEmpty ? [.get] : row.methods {
            let route = Self.request(row, method).found
            #expect(route.endpoint == row.endpoint, "\(row)")
            if let name = row.name { #expect(route.name == name, "\(row)") }
        }
    }

    @Test("route no request with another method", arguments: RoutingTable.rows.indices)
    func methods(index: Int) {
        let row = RoutingTable.rows[index]
        guard !row.methods.isEmpty else { return }
        #expect(Self.request(row, .delete).found == .s3(bucketFromHost: nil), "\(row)")
    }

    @Test("have different marks")
    func once() {
        let rows = RoutingTable.rows.map { "\($0.mark) \($0.text)" }
        #expect(Set(rows).count == rows.count)
    }

    /// A request with the mark of a row and no other.
    private static func request(_ row: RoutingRow, _ method: HTTPRequest.Method) -> RouteRow {
        var request = RouteRow(method: method, route: Route(row.endpoint))
        switch row.mark {
        case .label: request.host = row.text + ".us-east-1.amazonaws.com"
        case .scope: request.authorization = RouteRow.signed(row.text)
        case .scheme: request.authorization = row.text + "x"
        case .parameter: (request.path, request.query) = ("/box/a", row.text + "x")
        case .version: request.query = "Action=A&Version=" + row.text
        case .target: request.target = row.text + ".ListRoots"
        case .path, .below, .probe: request.path = row.text
        case .pattern: request.path = row.text.replacing("*", with: "x")
        case .named, .realm: request.path = row.text + "demorealm/x"
        case .administration: request.path = row.text + "/demorealm/x"
        case .metadata: request.path = row.text + "openid-configuration/idp/demorealm"
        case .machine: request.path = row.text + "/x"
        case .call: (request.path, request.contentType) = (row.text, "application/json")
        case .agent: (request.path, request.agent) = ("/box/a", row.text + "1")
        }
        return request
    }
}
