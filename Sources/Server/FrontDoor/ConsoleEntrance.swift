import Calls
import Federation
import HTTPTypes
import Synchronization
import WireFormats

/// The ways into the web console that are no page of it.
enum ConsoleEntrance {
    /// The first page.
    static let path = "/_virga/ui/"

    /// The redirect to the first page. (RFC 9110 section 15.4.4.)
    static var redirect: Response {
        var headers = HTTPFields.unstored
        headers[.location] = path
        return Response(status: .seeOther, headers: headers)
    }

    /// Returns the response to a request at the port of the console that is not for the console or the control API. Nothing else is served
    /// there, so that no document shares the origin of the pages.
    static func response(besides request: Request) -> Response? {
        let path = request.target.prefix { $0 != "?" }
        if path.hasPrefix("/_virga/") || path == "/_virga" { return nil }
        guard request.method == .get || request.method == .head else { return Response(status: .notFound) }
        return path == "/" ? redirect : Response(status: .notFound)
    }
}

extension Route {
    /// Matches a browser that opens the root of this process, as a user does after typing the address. SDKs and curl never match: the request
    /// has no query and no signature, its `Accept` begins with `text/html`, and its host names neither a service nor a bucket.
    static func byBrowser(_ facts: RoutingFacts) -> Route? {
        guard facts.path == "/", facts.names.hasConsole, facts.method == .get, facts.query.isEmpty, facts.authorization == nil,
            facts.header(.accept)?.hasPrefix("text/html") == true, facts.names.contains(facts.host)
        else { return nil }
        return Route(.consoleEntrance)
    }
}

/// The port of the web console, which is known once its listener is open.
final class ConsolePort: Sendable {
    private let number = Mutex<Int?>(nil)

    /// The number; `nil` if there is no such port.
    var value: Int? { number.withLock { $0 } }

    /// Notes the number.
    func open(_ port: Int) { number.withLock { $0 = port } }
}
