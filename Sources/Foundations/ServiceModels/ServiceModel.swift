package import WireFormats

/// An AWS service: how its calls are recognized, and what its operations need.
package struct ServiceModel: Sendable {
    /// The prefix of the service's actions in policies, such as `cloudwatch`.
    package let name: String
    /// The name in credential scopes, such as `monitoring`.
    package let signingName: String
    /// The wire protocols, those of today's SDKs first.
    package let protocols: [ServiceProtocol]
    /// The part of `X-Amz-Target` before the dot; `nil` for a service without JSON.
    package let targetPrefix: String?
    /// The `Version` of the Query protocol; `nil` for a service without it.
    package let version: String?
    /// What operations without a resource name, such as all topics of an account; `nil` for `*`.
    let unnamed: ResourceType?
    /// The members of inputs that name the account which owns the resource.
    package let accountMembers: [String]
    /// The principal to which roles are passed, such as `lambda.amazonaws.com`.
    package let passedService: String?
    /// Whether the action is the HTTP method and the resource is the path, as for API Gateway.
    package let decidesByPath: Bool
    /// The types of resources by name.
    var types = TextDictionary<ResourceType>()
    /// The operations by name.
    package private(set) var operations = TextDictionary<OperationModel>()

    /// Reads the line that begins a service; `nil` if it has no name in credential scopes.
    init?(header words: [String]) {
        var options = TextDictionary<String>()
        for word in words.dropFirst() {
            guard let equals = word.firstIndex(of: "=") else { return nil }
            options[String(word[..<equals])] = String(word[equals...].dropFirst())
        }
        guard let first = words.first, let signingName = options["signing"] else { return nil }
        name = String(first.dropFirst())
        self.signingName = signingName
        protocols = (options["protocols"] ?? "").split(separator: ",").compactMap { ServiceProtocol(rawValue: String($0)) }
        targetPrefix = options["target"]
        version = options["version"]
        unnamed = options["star"].map { ResourceType($0) }
        accountMembers = (options["account"] ?? "").split(separator: ",").map { String($0) }
        passedService = options["pass"]
        decidesByPath = options["rule"] == "path"
    }

    /// Whether the operation is in method and path.
    var isREST: Bool { protocols.contains(.restJSON) || protocols.contains(.restXML) }

    /// Reads the line of an operation.
    mutating func append(operation words: [String]) {
        guard let name = words.first else { return }
        var rest = words.dropFirst()
        var template: RESTTemplate?
        if isREST {
            guard let method = rest.popFirst(), let path = rest.popFirst() else { return }
            template = RESTTemplate(method: method, path: path)
        }
        let hasOpaqueBody = rest.last == "%"
        if hasOpaqueBody { rest.removeLast() }
        operations[name] = OperationModel(
            name: name, template: template, rule: OperationRule(words: Array(rest)), hasOpaqueBody: hasOpaqueBody)
    }
}

/// An operation of a service.
package struct OperationModel: Sendable {
    /// The name, such as `SendMessage`.
    package let name: String
    /// Method and path in REST; `nil` in other protocols.
    package let template: RESTTemplate?
    /// Which permissions the operation needs; `nil` if that is not known. Operations of services that are decided by path have no rule.
    package let rule: OperationRule?
    /// Whether the body is a member of the input and no document, such as the payload of a function.
    package let hasOpaqueBody: Bool
}

/// A wire protocol of AWS services. (Smithy, "AWS protocols".)
package enum ServiceProtocol: String, Sendable {
    /// AWS JSON 1.0.
    case json10 = "json1.0"
    /// AWS JSON 1.1.
    case json11 = "json1.1"
    /// AWS Query.
    case query
    /// AWS REST JSON.
    case restJSON = "rest-json"
    /// AWS REST XML.
    case restXML = "rest-xml"
    /// EC2 Query.
    case ec2
    /// Smithy RPC v2 CBOR.
    case cbor
}
