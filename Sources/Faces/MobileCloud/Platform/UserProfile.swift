import Cloud
import Directory
import WireFormats

extension MobileCaller {
    /// The caller's profile as the Mobile Users API returns it; `nil` for the anonymous caller.
    var profile: JSONObject? {
        switch identity {
        case .anonymous: nil
        case .user(let user): user.profile
        case .virtual(let name, _): ["username": .string(name)]
        case .social(let user):
            ["id": .string(user.id), "identityProvider": .string(user.provider), "accessToken": .string(user.accessToken)]
        }
    }
}

extension MobileUser {
    /// The user's profile as the Mobile Users API returns it: the fixed members, those of the realm, and links.
    var profile: JSONObject {
        var profile: JSONObject = ["id": .string(id), "username": .string(username)]
        profile["email"] = email.map { .string($0) }
        profile["firstName"] = firstName.map { .string($0) }
        profile["lastName"] = lastName.map { .string($0) }
        for (name, value) in properties.members { profile[name] = value }
        let link: JSONValue = .string("/mobile/platform/users/\(percentEncoded(username).replacing("%40", with: "@"))")
        profile["links"] = [["rel": "canonical", "href": link], ["rel": "self", "href": link]]
        return profile
    }
}
