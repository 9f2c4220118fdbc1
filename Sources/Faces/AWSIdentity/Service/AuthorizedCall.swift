import Policy

/// A signed call whose operation's row reads its members and authorizes its caller.
protocol AuthorizedCall: Sendable {
    var parameters: QueryParameters { get set }

    /// Rejects the call unless the caller may perform its action on a resource.
    func authorize(on resource: some ServiceResource) throws(ServiceError)
}

/// What an operation acts on, as policies see it.
protocol ServiceResource: Sendable {
    var arn: String { get }
    /// The tags for `aws:ResourceTag`.
    var tags: [Tag] { get }
}

/// A resource of which policies know only the ARN.
struct UntaggedResource: ServiceResource {
    /// `*` for an action without resources.
    let arn: String
    var tags: [Tag] { [] }
}

extension ServiceOperation where Face.SignedCall: AuthorizedCall {
    /// Creates a signed operation whose members are read and checked, and whose caller is authorized, before it is performed.
    /// - Parameters:
    ///   - refused: the members of the service model that Virga does not support.
    ///   - members: reads the members of the input.
    ///   - resource: returns the resource on which the caller must be allowed to perform the action.
    ///   - perform: performs the operation.
    static func authorized<Input, Resource: ServiceResource>(
        refusing refused: [String] = [],
        members: @escaping @Sendable (inout QueryParameters) throws -> Input,
        on resource: @escaping @Sendable (Input, Face.SignedCall) throws -> Resource,
        _ perform: @escaping @Sendable (Input, Resource, Face.SignedCall) async throws -> Face.Wire.Result?
    ) -> Self {
        let performChecked: Perform = { call in
            let input = try members(&call.parameters)
            try call.parameters.check()
            let found = try resource(input, call)
            try call.authorize(on: found)
            return try await perform(input, found, call)
        }
        return Self(refusing: refused, performChecked)
    }

    /// Creates a signed operation whose action has no resource.
    static func authorized<Input>(
        members: @escaping @Sendable (inout QueryParameters) throws -> Input,
        _ perform: @escaping @Sendable (Input, Face.SignedCall) async throws -> Face.Wire.Result?
    ) -> Self {
        let performOnNothing: @Sendable (Input, UntaggedResource, Face.SignedCall) async throws -> Face.Wire.Result? = { input, _, call in
            try await perform(input, call)
        }
        return authorized(members: members, on: { _, _ in UntaggedResource(arn: "*") }, performOnNothing)
    }

    /// Creates a signed operation without members, whose action has no resource.
    static func authorized(
        _ perform: @escaping @Sendable (Face.SignedCall) async throws -> Face.Wire.Result?
    ) -> Self {
        let performWithoutMembers: @Sendable (Void, Face.SignedCall) async throws -> Face.Wire.Result? = { _, call in
            try await perform(call)
        }
        return authorized(members: { _ in }, performWithoutMembers)
    }
}
