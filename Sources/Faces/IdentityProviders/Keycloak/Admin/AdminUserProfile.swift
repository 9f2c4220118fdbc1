import Calls
import HTTPTypes
import WireFormats

extension AdminRoute {
    /// The calls that concern the profile of users. They precede those of a user, whose identifier could be `profile`.
    static let userProfile: [AdminRoute] = [
        .get("users/profile", "GetUserProfile", .viewRealm) { _ in .json(.object(AdminCall.userProfile)) },
        .put("users/profile", "UpdateUserProfile", .manageRealm) { try await $0.updateUserProfile() },
    ]
}

extension AdminCall {
    /// The attributes of users that have members of their own in a UserRepresentation.
    private static let attributesOfProfile = ["username", "email", "firstName", "lastName"]

    /// The UPConfig: users can have every attribute, and no value is checked.
    fileprivate static var userProfile: JSONObject {
        let attributes = attributesOfProfile.map { name -> JSONValue in
            [
                "name": .string(name), "displayName": .string("${\(name)}"),
                "permissions": ["view": ["admin", "user"], "edit": ["admin", "user"]], "multivalued": false,
            ]
        }
        return ["attributes": .array(attributes), "groups": [], "unmanagedAttributePolicy": "ENABLED"]
    }

    /// Accepts a profile by which users can have every attribute without a check, as it is here anyway.
    fileprivate func updateUserProfile() async throws -> Response {
        let profile = try await object()
        let policy = profile["unmanagedAttributePolicy"]?.stringValue ?? "DISABLED"
        guard policy == "ENABLED" else {
            throw AdminError.absent("the unmanagedAttributePolicy \(policy): users can have every attribute")
        }
        for attribute in profile["attributes"]?.arrayValue ?? [] {
            let name = attribute["name"]?.stringValue ?? "?"
            guard Self.attributesOfProfile.contains(where: { $0 == name }) else {
                throw AdminError.absent("the attribute \(name) of user profiles")
            }
            for rule in ["validations", "required", "selector"] {
                let members = attribute[rule]?.objectValue
                guard attribute[rule] == nil || attribute[rule] == .null || members?.isEmpty == true else {
                    throw AdminError.absent("\(rule) of the attribute \(name) of user profiles")
                }
            }
        }
        return .json(.object(profile))
    }
}
