package import ServiceModels
import WireFormats

/// The key of a ciphertext of a symmetric key of KMS, which a call of `Decrypt` or `ReEncrypt` need not name.
///
/// AWS's ciphertexts name their key in a form that is not documented. Those of moto and of LocalStack begin with the key's identifier.
/// (moto, `kms/utils.py`, CIPHERTEXT_HEADER_FORMAT.)
package enum Ciphertext {
    /// Returns the identifier of the key; `nil` for a text that does not begin with one.
    /// - Parameter blob: the ciphertext in base 64.
    package static func key(in blob: String) -> String? {
        guard let bytes = [UInt8](base64: blob), bytes.count > 36 else { return nil }
        let identifier = Array(bytes[..<36])
        let isHexadecimal = { (byte: UInt8) -> Bool in 0x30...0x39 ~= byte || 0x61...0x66 ~= byte }
        let isUUID = identifier.enumerated().allSatisfy { place, byte in
            [8, 13, 18, 23].contains(place) ? byte == 0x2D : isHexadecimal(byte)
        }
        // The identifiers of multi-Region keys have a prefix. (KMS Developer Guide, "Multi-Region keys in AWS KMS".)
        let isMultiRegion = identifier[..<4].elementsEqual("mrk-".utf8) && identifier[4...].allSatisfy(isHexadecimal)
        return isUUID || isMultiRegion ? String(decoding: identifier, as: UTF8.self) : nil
    }

    /// Returns the permissions with the key of the ciphertext where a call names none.
    /// - Parameter scope: where the call is made: its account has the key.
    /// - Throws: `UndecidableCall.unknownCiphertext` if the key cannot be found.
    package static func naming(
        _ permissions: [RequiredPermission], _ input: CallInput, in scope: CallScope
    ) throws(UndecidableCall) -> [RequiredPermission] {
        guard permissions.contains(where: isOpen) else { return permissions }
        // A call without a ciphertext reaches nothing.
        guard let blob = input.document["CiphertextBlob"]?.stringValue else { return permissions }
        guard let key = Self.key(in: blob) else { throw .unknownCiphertext }
        let resource = ResourceName.known("arn:\(scope.partition):kms:\(scope.region):\(scope.account):key/\(key)")
        return permissions.map { isOpen($0) ? RequiredPermission($0.action, on: resource) : $0 }
    }

    private static func isOpen(_ permission: RequiredPermission) -> Bool {
        permission.resource == .known("*") && ["kms:Decrypt", "kms:ReEncryptFrom"].contains(permission.action)
    }
}
