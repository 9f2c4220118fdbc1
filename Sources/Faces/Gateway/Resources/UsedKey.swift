import Calls
import HTTPTypes
import NIOCore
import ServiceModels
import WireFormats

/// The key that a ciphertext of KMS belongs to. The ciphertext names it only to the service, whatever the caller writes, so it is decided by
/// the answer: it is kept back if the caller may not use that key.
enum UsedKey {
    /// The member of an answer that is the ARN of the key; `nil` for other operations.
    static func member(of operation: String, service: String) -> String? {
        switch (service, operation) {
        case ("kms", "Decrypt"): "KeyId"
        case ("kms", "ReEncrypt"): "SourceKeyId"
        default: nil
        }
    }

    /// Whether a permission is for reading a ciphertext.
    private static func isOfCiphertext(_ permission: RequiredPermission) -> Bool {
        ["kms:Decrypt", "kms:ReEncryptFrom"].contains(permission.action)
    }

    /// Whether a permission is for reading a ciphertext of a key that the call does not name. It cannot be decided before there is an answer.
    static func isOpen(_ permission: RequiredPermission) -> Bool {
        isOfCiphertext(permission) && permission.resource == .known("*")
    }

    /// Returns the permissions that reading a ciphertext of a key needs: none if they were decided before.
    /// - Parameters:
    ///   - permissions: the permissions of the call as the caller wrote it.
    ///   - key: the ARN; `nil` if the answer does not name the key.
    static func permissions(
        _ permissions: [RequiredPermission], on key: String?, besides names: ResolvedNames
    ) -> [RequiredPermission] {
        permissions.filter { permission in
            guard isOfCiphertext(permission) else { return false }
            if isOpen(permission) { return true }
            guard let key else { return false }
            return names.text(of: permission.resource) != key
        }.map { RequiredPermission($0.action, on: .known(key ?? "*")) }
    }
}

extension UpstreamAnswer {
    /// The most bytes of an answer that is read before it is passed on.
    private static let longestRead = 1 << 20

    /// Reads a text in the answer's document, which stays as it is.
    mutating func text(at member: String) async throws -> String? {
        guard status.kind == .successful else { return nil }
        let bytes: [UInt8]
        do {
            bytes = try await body.collected(upTo: Self.longestRead)
        } catch is BodyTooLarge {
            throw UpstreamFailure("its answer has more than \(Self.longestRead >> 20) MiB")
        }
        body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        return (try? JSONValue(parsing: bytes, repeatedNames: .lastCounts))?[member]?.stringValue
    }
}
