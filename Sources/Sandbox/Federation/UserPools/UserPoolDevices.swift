import Cloud
import Cryptography
package import Directory
import WireFormats

extension UserPoolLoginStore {
    /// Returns the key of the device that can be confirmed in a login. It follows from the login, so that nothing is stored for a device that
    /// is never confirmed.
    package func newDeviceKey(of login: String, in pool: UserPool) -> String {
        let digest = cloud.secretDigest(of: "device/\(pool.id)/\(login)")
        return "\(pool.region)_\(UserPoolIdentifier.uuid(of: Array(digest.prefix(16))))"
    }

    /// Returns the key of the group of a person's devices.
    package func deviceGroup(of user: UserPoolUser, in pool: UserPool) -> String {
        "-" + cloud.secretDigest(of: "device group/\(pool.id)/\(user.sub)").base64url.prefix(8)
    }

    /// Returns the key of the device that a login is used on: the confirmed one, or the one that can be confirmed; `nil` if the pool does not
    /// remember devices, and for logins at hosted pages, which do not remember them.
    package func deviceKey(of login: UserPoolLogin, of user: UserPoolUser, in pool: UserPool) -> String? {
        guard pool.devices != nil, login.scopes == nil else { return nil }
        return user.device(ofLogin: login.id)?.key ?? newDeviceKey(of: login.id, in: pool)
    }

    /// Revokes the logins in which a device is used.
    /// - Parameter spared: a login that continues; `nil` for none.
    /// - Throws: an error of the database.
    package func endAll(on device: UserPoolDevice, except spared: String?) async throws {
        for login in device.logins where login != spared { try await cloud.grants.revoke(Self.name(login)) }
    }
}
