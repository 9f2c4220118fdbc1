import Cloud
import Directory
import HTTPTypes
import WireFormats

@testable import MobileCloudFace

extension MobileSandbox {
    /// A user of the backend's realm.
    func user(_ name: String) throws -> MobileUser {
        guard let user = cloud.directory.mobile.realms["Default(1.0)"]?.user(named: name) else { throw NoSuchBackend(name: name) }
        return user
    }

    /// The headers of a call of custom code that acts for an identity.
    func customCode(
        _ identity: MobileCaller.Identity = .anonymous, roles: Set<String> = [], depth: Int = 1, backend: String = "app"
    ) throws -> HTTPFields {
        let caller = MobileCaller(backend: try self.backend(backend), identity: identity, method: .basic, roles: roles)
        let credential = CustomCodeCredential(for: caller, of: .init(api: "orders(1.0)", depth: depth), at: cloud.clock.now)
        return [.authorization: "Bearer \(try credential.sealed(with: cloud.sealingKey))"]
    }

    /// The headers of a call of custom code that acts for a user of the realm, with the user's roles.
    func customCode(user name: String) throws -> HTTPFields {
        let user = try user(name)
        return try customCode(.user(user), roles: Set(user.roles))
    }
}
