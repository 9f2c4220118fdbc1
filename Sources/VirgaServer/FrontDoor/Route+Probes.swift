import HTTPTypes
import WireFormats

extension Route {
    /// Matches paths that clients request from every server of a kind: the icon of browsers, and the health path of LocalStack. A signed
    /// request for them means a bucket, and so does any other method.
    static func byProbe(_ facts: RoutingFacts) -> Route? {
        guard facts.method == .get || facts.method == .head else { return nil }
        return switch facts.path {
        case "/favicon.ico": .icon
        case "/_localstack/health": .localStackHealth
        default: nil
        }
    }
}
