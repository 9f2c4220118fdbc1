package import WireFormats

/// The least identity policy that allows what a principal was allowed to do, as far as it was recorded.
///
/// Actions on the same resources share a statement. Resources are generalized only at a `/`: to the folder of the caller, which a claim or
/// tag of the caller's session names, and to a folder with several objects. No generalization allows a request that was denied.
package struct LeastPolicy: Sendable {
    /// The policy document, or `nil` if no request needs an identity policy.
    package var json: JSONValue?
    /// What was generalized, and what could not be, a sentence each.
    package var notes: [String]
    /// The requests that were decided again with the policy in place of the principal's identity policies.
    package var proof: Proof

    /// The result of deciding every recorded request again.
    package struct Proof: Sendable {
        /// How many distinct requests were decided.
        package var requests = 0
        /// How many of them were allowed, as they were before.
        package var allowed = 0
        /// How many of them were denied, as they were before.
        package var denied = 0
        /// The requests with another decision than before, a sentence each.
        package var failures: [String] = []
    }

    /// A recorded request, and whether it was processed.
    package typealias Recorded = (request: DecidedRequest, isServed: Bool)

    /// Computes the policy of one principal.
    /// - Parameter recorded: the requests of the principal's sessions. Requests of a root user are treated as those of a user.
    package init(of recorded: [Recorded]) {
        let recorded = recorded.map { (request: $0.request.asLimited, isServed: $0.isServed) }
        let isRAM = recorded.contains { $0.request.policies.rule == .ram }
        var notes: [String] = []
        var needed: [DecidedRequest] = []
        var granted: [DecidedRequest] = []
        for (request, isServed) in recorded where isServed {
            if request.isAllowed(withIdentity: nil) { granted.append(request) } else { needed.append(request) }
        }
        let denied = recorded.filter { !$0.isServed }.map(\.request)
        let statements = LeastStatements(allowing: needed, denying: denied, hasVariables: !isRAM)
        notes += statements.notes
        if !granted.isEmpty {
            let actions = Set(granted.map(\.context.action)).sorted().joined(separator: ", ")
            notes.append("needs no statement, because the resource's own policy or ACL allows it: \(actions)")
        }
        let json: JSONValue? =
            statements.isEmpty
            ? nil : ["Version": isRAM ? "1" : "2012-10-17", "Statement": .array(statements.json())]
        self.json = json
        self.notes = notes
        proof = Proof()
        let document = json.flatMap { try? PolicyDocument(json: $0, kind: .identity, dialect: isRAM ? .ram : .aws) }
        if json != nil, document == nil { proof.failures.append("the policy is not valid") }
        prove(recorded, document)
    }

    private mutating func prove(_ recorded: [Recorded], _ document: PolicyDocument?) {
        for (request, isServed) in recorded {
            let isAllowed = request.isAllowed(withIdentity: document)
            proof.requests += 1
            let text = "\(request.context.action) on \(request.context.resource) by \(request.context.principal.name)"
            switch (isServed, isAllowed) {
            case (true, true): proof.allowed += 1
            case (false, false): proof.denied += 1
            case (true, false): proof.failures.append("\(text) was allowed, and no identity policy can allow it")
            case (false, true): proof.failures.append("\(text) was denied, and would be allowed")
            }
        }
    }
}

extension DecidedRequest {
    /// The request with a principal that identity policies limit: a user in place of the root user.
    fileprivate var asLimited: DecidedRequest {
        guard context.principal.identity == .root, let account = context.principal.account else { return self }
        var request = self
        request.context.principal = Principal(.user(arn: context.principal.name, id: account), account: account)
        return request
    }

    /// Returns whether the request is allowed with one identity policy in place of those that it had.
    fileprivate func isAllowed(withIdentity document: PolicyDocument?) -> Bool {
        var policies = policies
        policies.identity = document.map { [AttachedPolicy("least", $0)] } ?? []
        return policies.decision(for: context).isAllowed
    }
}
