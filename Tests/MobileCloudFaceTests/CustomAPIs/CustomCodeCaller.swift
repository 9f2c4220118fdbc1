import Cloud
import Directory
import HTTPTypes

@testable import MobileCloudFace

extension MobileSandbox {
    /// A user of the backend's realm.
    func user(_ name: String) throws -> MobileUser {
        guard let user = cloud.directory.mobile.realms["Default(1.0)"]?.user(named: name) else { throw NoSuchBackend(name: name) }
        return user
    }

    /// What a call of custom code carries that calls in somebody's name.
    func customCode(
        _ identity: MobileCaller.Identity = .anonymous, roles: Set<String> = [], depth: Int = 1, backend: String = "app"
    ) throws -> HTTPFields {
        let caller = MobileCaller(backend: try self.backend(backend), identity: identity, method: .basic, roles: roles)
        let credential = CustomCodeCredential(for: caller, of: .init(api: "orders(1.0)", depth: depth), at: cloud.clock.now)
        return [.authorization: "Bearer \(try credential.sealed(with: cloud.sealingKey))"]
    }

    /// The same for a user of the realm, with the roles that the user has.
    func customCode(user name: String) throws -> HTTPFields {
        let user = try user(name)
        return try customCode(.user(user), roles: Set(user.roles))
    }
}
