import Cloud
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Tags of users.
    static let userTags: [String: Operation] = ["TagUser": tagUser, "UntagUser": untagUser, "ListUserTags": listUserTags]

    private static func tagUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("UserName", length: 1...128, pattern: .entityName)
        let tags = call.parameters.tags(most: 50)
        try call.parameters.check()
        let found: User = try call.found(name)
        try call.authorize(on: found.arn, tags: found.tags, newTags: tags)
        try await call.change(name) { (user: inout User, _) in try user.tags.merge(tags, quota: "TagsPerUser") }
        return nil
    }

    private static func untagUser(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("UserName", length: 1...128, pattern: .entityName)
        let keys = call.parameters.tagKeys()
        try call.parameters.check()
        let found: User = try call.found(name)
        try call.authorize(on: found.arn, tags: found.tags, tagKeys: keys)
        try await call.change(name) { (user: inout User, _) in user.tags.remove(keys) }
        return nil
    }

    private static func listUserTags(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let name = call.parameters.requiredText("UserName", length: 1...128, pattern: .entityName)
        let part = try call.parameters.part()
        try call.parameters.check()
        let user: User = try call.found(name)
        try call.authorize(on: user.arn, tags: user.tags)
        let page = try Page(tags: user.tags, part)
        return { xml in page.encode(into: &xml) }
    }
}

extension Page<Tag> {
    /// A part of the tags of something.
    init(tags: [Tag], _ part: PagePart) throws(QueryError) {
        try self.init(of: tags.sorted { $0.key.lowercased() < $1.key.lowercased() }, part) { $0.key.lowercased() }
    }

    /// Writes `Tags` and what says whether there is more.
    func encode(into xml: inout XMLWriter) {
        encode("Tags", into: &xml) { tag, xml in
            xml.element("Key", tag.key)
            xml.element("Value", tag.value)
        }
    }
}
