import WireFormats

/// A permission that a call needs.
package struct RequiredPermission: Equatable, Sendable {
    /// The action, such as `sqs:SendMessage`.
    package var action: String
    /// The resource.
    package var resource: ResourceName
    /// The principal to which a role is passed, for `iam:PassedToService`; `nil` for other actions.
    package var passedTo: String?

    package init(_ action: String, on resource: ResourceName, passedTo: String? = nil) {
        self.action = action
        self.resource = resource
        self.passedTo = passedTo
    }

    /// A text that two permissions have in common only if they are the same.
    var identity: String { "\(action)\n\(resource.identity)\n\(passedTo ?? "")" }

    /// Texts are equal if their bytes are.
    package static func == (left: RequiredPermission, right: RequiredPermission) -> Bool { left.identity == right.identity }
}

/// A resource of a permission.
package enum ResourceName: Equatable, Sendable {
    /// The text that policies see: an ARN, `*`, or what the service uses in place of an ARN.
    case known(String)
    /// The key that an alias of KMS belongs to. Only the service knows it.
    /// - Parameter alias: the ARN of the alias.
    case keyOfAlias(_ alias: String)
    /// The secret with a name. The end of its ARN is known only to the service.
    /// - Parameters:
    ///   - arn: the ARN with the name, or the ARN that the caller wrote.
    ///   - id: what the caller wrote: a name, an ARN, or an ARN without its suffix.
    case secret(_ arn: String, id: String)

    fileprivate var identity: String {
        switch self {
        case .known(let text): text
        case .keyOfAlias(let alias): "key of \(alias)"
        case .secret(let arn, let id): "secret \(arn) \(id)"
        }
    }

    /// Texts are equal if their bytes are.
    package static func == (left: ResourceName, right: ResourceName) -> Bool { left.identity == right.identity }
}

/// Why it cannot be decided what a call needs. Such a call must not be forwarded: the upstream could read it differently.
package enum UndecidableCall: Error, Equatable, Sendable {
    /// No permission of the operation is known.
    case unmapped
    /// A member is not a text.
    case unexpectedType(member: String)
    /// A member occurs more than once, or with names that differ only in their case.
    case repeatedMember(String)
    /// Two members name different resources where one is meant.
    case contradiction(String)
    /// A statement of PartiQL is not understood.
    case statement(String)
    /// A policy reads a condition key whose values cannot be found.
    case unknownKey(String)
    /// The key of a ciphertext cannot be found.
    case unknownCiphertext
}
