import Cryptography
import Exchange
import Federation
import HTTPTypes

/// Who may use the control API.
package struct ControlAccess: Sendable {
    private let token: String?
    private let isLoopback: Bool

    /// - Parameters:
    ///   - token: required of every call but `health`, if there is one.
    ///   - isLoopback: whether only this machine can reach the listeners; then a token is not needed.
    package init(token: String?, isLoopback: Bool) {
        self.token = token
        self.isLoopback = isLoopback
    }

    enum Refusal: Error {
        case tokenMissing, tokenWrong
        /// The listeners can be reached from elsewhere and no token was set.
        case closed
        /// A page of another origin sent a browser here.
        case foreignOrigin
        /// No token is needed, and the host is no name of this process: a page whose name was bound to this address.
        case foreignHost
    }

    func check(_ exchange: Exchange) throws(Refusal) {
        if let origin = exchange.headers[.origin], origin != exchange.origin { throw .foreignOrigin }
        guard let token else {
            guard isLoopback else { throw .closed }
            guard exchange.names.contains(exchange.host) else { throw .foreignHost }
            return
        }
        guard let presented = exchange.headers[.authorization] else { throw .tokenMissing }
        guard presented.lowercased().hasPrefix("bearer "), constantTimeEquals(String(presented.dropFirst("bearer ".count)), token)
        else { throw .tokenWrong }
    }
}
