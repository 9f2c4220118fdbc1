import Directory
import HTTPTypes

/// One row of the front door's table: a mark of requests, and the endpoint that answers the requests with this mark.
struct RoutingRow: Sendable {
    /// The kinds of marks.
    enum Mark: Hashable, Sendable {
        /// The first label of a host of AWS or below a name of this process.
        case label
        /// The service in the credential scope of a signature.
        case scope
        /// The beginning of `Authorization`.
        case scheme
        /// The beginning of a parameter of the query that only signed URLs have.
        case parameter
        /// The version of the API that an unsigned action names.
        case version
        /// The beginning of `X-Amz-Target`, up to its dot.
        case target
        /// A whole path.
        case path
        /// A path, and the paths below it. The endpoint reads the path of the request.
        case below
        /// A path in which `*` stands for one segment. The endpoint reads the path of the request.
        case pattern
        /// A prefix of paths. The next segment is a name, and the endpoint sees the path after it.
        case named
        /// The prefix of Keycloak's realms: like `named`, unless only a bucket has the name of the first segment.
        case realm
        /// The beginning of the paths of Keycloak's Admin API, unless only a bucket has the name of the first segment. The endpoint sees the
        /// row's name and the rest of the path.
        case administration
        /// The prefix of metadata documents whose paths end with the path of an issuer.
        case metadata
        /// The path of a token vending machine that exists, and the paths below it. The endpoint sees the rest of the path.
        case machine(VendingMachines.Kind)
        /// The path of an unsigned call in JSON.
        case call
        /// A path that clients request from every server of a kind.
        case probe
        /// The beginning of `User-Agent`.
        case agent
    }

    let mark: Mark
    /// The text of the mark.
    let text: String
    /// The methods of the requests; empty for every method.
    let methods: [HTTPRequest.Method]
    let endpoint: Endpoint
    /// The name that the endpoint receives, such as that of a service which is not implemented; `nil` if the address has it or there is none.
    let name: String?

    /// - Parameters:
    ///   - text: the text of the mark.
    ///   - methods: the methods of the requests; empty for every method.
    ///   - name: the name that the endpoint receives.
    init(_ mark: Mark, _ text: String, _ endpoint: Endpoint, methods: [HTTPRequest.Method] = [], name: String? = nil) {
        (self.mark, self.text, self.endpoint, self.methods, self.name) = (mark, text, endpoint, methods, name)
    }
}
