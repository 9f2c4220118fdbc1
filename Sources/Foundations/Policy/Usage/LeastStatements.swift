import WireFormats

/// The statements of a least policy.
struct LeastStatements {
    /// The resources of statements, each with its actions, and the prefixes of a listing.
    private var grants: [Grant: Set<String>] = [:]
    private(set) var notes: [String] = []
    private let hasVariables: Bool
    private let denied: [DecidedRequest]

    /// The most entries of one folder that are listed; with more, the folder is allowed as a whole.
    private static let mostEntries = 4

    private struct Grant: Hashable {
        var resource: ResourceTemplate
        /// The prefixes that may be listed; empty without a condition.
        var prefixes: [String] = []
    }

    /// - Parameters:
    ///   - needed: the requests to allow.
    ///   - denied: the requests that must not be allowed.
    ///   - hasVariables: whether the dialect of the policy has variables.
    init(allowing needed: [DecidedRequest], denying denied: [DecidedRequest], hasVariables: Bool) {
        self.hasVariables = hasVariables
        self.denied = denied
        for (action, requests) in Dictionary(grouping: needed, by: \.context.action) {
            if let key = Self.prefixKey(of: action) {
                allowListing(action, key, requests)
            } else {
                let denied = counterexamples(action) { $0.context.resource }
                let templates = requests.map { template(ResourceTemplate(resource: $0.context.resource), of: $0, denied) }
                for template in collapsed(templates, denied) {
                    grants[Grant(resource: template), default: []].insert(action)
                }
            }
        }
        describe()
    }

    var isEmpty: Bool { grants.isEmpty }

    /// Returns the key of the prefix that a listing has; `nil` for another action.
    private static func prefixKey(of action: String) -> String? {
        switch action.lowercased() {
        case "s3:listbucket", "s3:listbucketversions", "s3:listbucketmultipartuploads": "s3:prefix"
        case "oss:listobjects", "oss:listobjectversions": "oss:Prefix"
        default: nil
        }
    }

    /// Allows the listing of buckets: of the prefixes that were listed, or of the whole bucket if it was listed.
    private mutating func allowListing(_ action: String, _ key: String, _ requests: [DecidedRequest]) {
        for (resource, requests) in Dictionary(grouping: requests, by: \.context.resource) {
            let bucket = template(ResourceTemplate(resource: resource), of: requests[0], [])
            let prefixes = requests.map { $0.context.keys[key.lowercased()]?.all.first ?? "" }
            guard prefixes.allSatisfy({ !$0.isEmpty }) else {
                grants[Grant(resource: bucket), default: []].insert(action)
                notes.append("\(resource) was listed without a prefix, so the listing has no condition on \(key)")
                continue
            }
            let denied = counterexamples(action) {
                $0.context.resource == resource ? $0.context.keys[key.lowercased()]?.all.first : nil
            }
            let templates = zip(requests, prefixes).map { template(ResourceTemplate(prefix: $1), of: $0, denied) }
            let texts = collapsed(templates, denied).map { $0.text(hasVariables: hasVariables) }.sorted()
            grants[Grant(resource: bucket, prefixes: [key] + texts), default: []].insert(action)
        }
    }

    /// The text of a denied request that no template may cover, and the condition keys of the request.
    private typealias Counterexample = (text: String, keys: ConditionKeys)

    private func counterexamples(_ action: String, _ text: (DecidedRequest) -> String?) -> [Counterexample] {
        denied.filter { $0.context.action == action }.compactMap { request in text(request).map { ($0, request.context.keys) } }
    }

    private func counterexample(of template: ResourceTemplate, among denied: [Counterexample]) -> String? {
        denied.first { template.covers($0.text, in: $0.keys, hasVariables: hasVariables) }?.text
    }

    /// Returns a template in which the caller's own names are variables, as far as that allows no denied request.
    private mutating func template(
        _ exact: ResourceTemplate, of request: DecidedRequest, _ denied: [Counterexample]
    ) -> ResourceTemplate {
        guard hasVariables else { return exact }
        let (template, ambiguous) = exact.personalized(with: CallerNames(request.context.keys))
        if let counterexample = counterexample(of: template, among: denied) {
            note("\(template.text(hasVariables: true)) was not used: it would allow \(counterexample), which was denied")
            return exact
        }
        for (chosen, others) in ambiguous {
            note("${\(chosen)} was chosen for a part that also equals \(others.map { "${\($0)}" }.joined(separator: ", "))")
        }
        return template
    }

    /// Returns templates of which those in the same folder are combined: two or more objects, or more than four folders.
    private mutating func collapsed(_ templates: [ResourceTemplate], _ denied: [Counterexample]) -> [ResourceTemplate] {
        Dictionary(grouping: Set(templates), by: \.start).flatMap { start, group in
            collapsed(start, [], group.map { $0.segments[...] }, denied)
        }
    }

    private mutating func collapsed(
        _ start: String, _ path: [ResourceTemplate.Segment], _ tails: [ArraySlice<ResourceTemplate.Segment>],
        _ denied: [Counterexample]
    ) -> [ResourceTemplate] {
        if tails.contains([.rest]) { return [ResourceTemplate(start: start, segments: path + [.rest])] }
        let leaves = tails.filter { $0.count <= 1 }
        var results = leaves.map { ResourceTemplate(start: start, segments: path + $0) }
        for (segment, below) in Dictionary(grouping: tails.filter { $0.count > 1 }, by: { $0[$0.startIndex] }) {
            results += collapsed(start, path + [segment], below.map { $0.dropFirst() }, denied)
        }
        // The bucket, or the kind of another resource, is never generalized.
        guard !path.isEmpty, leaves.count > 1 || results.count > Self.mostEntries else { return results }
        let whole = ResourceTemplate(start: start, segments: path + [.rest])
        let text = whole.text(hasVariables: hasVariables)
        if let counterexample = counterexample(of: whole, among: denied) {
            note("\(text) was not used for \(results.count) entries: it would allow \(counterexample), which was denied")
            return results
        }
        note("\(text) stands for \(results.count) entries of one folder")
        return [whole]
    }

    private mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    /// Adds a note for each resource that is a single object.
    private mutating func describe() {
        for resource in Set(grants.keys.map(\.resource)) where !resource.isGeneral && resource.segments.count > 1 {
            let reason = hasVariables ? "no part of it equals a claim or tag of the caller" : "policies of this service have no variables"
            notes.append("\(resource.text(hasVariables: hasVariables)) stays a single resource: \(reason)")
        }
        notes.sort()
    }

    /// Returns the statements, sorted by their first resource.
    func json() -> [JSONValue] {
        var statements: [Statement] = []
        // First the actions on each resource, then the resources of each set of actions.
        for (grant, actions) in grants {
            let resource = grant.resource.text(hasVariables: hasVariables)
            if let place = statements.firstIndex(where: { $0.actions == actions && $0.prefixes == grant.prefixes }) {
                statements[place].resources.append(resource)
            } else {
                statements.append(Statement(actions: actions, resources: [resource], prefixes: grant.prefixes))
            }
        }
        for index in statements.indices { statements[index].resources.sort() }
        return statements.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.json)
    }

    private struct Statement {
        var actions: Set<String>
        var resources: [String]
        var prefixes: [String]

        /// The texts by which statements are sorted.
        var order: [String] { resources + actions.sorted() + prefixes }

        var json: JSONValue {
            var json: JSONObject = [
                "Effect": "Allow", "Action": .array(actions.sorted().map(JSONValue.string)),
                "Resource": .array(resources.map(JSONValue.string)),
            ]
            if let key = prefixes.first {
                json["Condition"] = ["StringLike": JSONValue.object([key: .array(prefixes.dropFirst().map(JSONValue.string))])]
            }
            return .object(json)
        }
    }
}
