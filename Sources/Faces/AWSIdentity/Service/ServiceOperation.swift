import WireFormats

/// One operation of an AWS service: a row of the service's table.
struct ServiceOperation<Face: ServiceFace>: Sendable {
    /// Performs a signed call.
    typealias Perform = @Sendable (inout Face.SignedCall) async throws -> Face.Wire.Result?
    /// Performs a call of a client that has no credentials with which to sign.
    typealias PerformUnsigned = @Sendable (Face, ServiceCall) async throws -> Face.Wire.Result?

    /// What a call of the operation leads to.
    enum Handler: Sendable {
        case signed(Perform)
        case unsigned(PerformUnsigned)
        /// An error: the service model has the operation, Virga does not.
        case notImplemented
    }

    let handler: Handler
    /// The members of the service model that Virga does not support. A call with one of them is refused.
    let refusedMembers: [String]

    /// Whether clients sign calls of the operation.
    var isSigned: Bool {
        if case .signed = handler { true } else { false }
    }

    private init(_ handler: Handler, refusing members: [String] = []) {
        self.handler = handler
        refusedMembers = members
    }

    /// Creates a signed operation.
    init(refusing members: [String] = [], _ perform: @escaping Perform) { self.init(.signed(perform), refusing: members) }

    /// Creates an operation for clients without credentials.
    static func unsigned(_ perform: @escaping PerformUnsigned) -> Self { Self(.unsigned(perform)) }

    /// An operation of the service model that Virga does not have.
    static var notImplemented: Self { Self(.notImplemented) }
}
