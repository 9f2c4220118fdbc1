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

    private static let actions = ["kms:Decrypt", "kms:ReEncryptFrom"]

    /// Returns whether a permission is on the key of a ciphertext that the caller did not name, so that it is decided by the answer alone.
    static func isUnnamed(_ permission: RequiredPermission) -> Bool {
        actions.contains(permission.action) && permission.resource == .known("*")
    }

    /// Returns the permissions that reading a ciphertext of a key needs: none if they were decided before.
    /// - Parameter decided: the permissions of the call as the caller wrote it.
    static func permissions(_ decided: [RequiredPermission], on key: String, besides names: ResolvedNames) -> [RequiredPermission] {
        decided.filter { permission in
            actions.contains(permission.action) && names.text(of: permission.resource) != key
        }.map { RequiredPermission($0.action, on: .known(key)) }
    }
}

extension UpstreamAnswer {
    /// The most bytes of an answer that is read before it is passed on.
    static let longestRead = 1 << 20

    /// Reads a text in the answer's document, which stays as it is.
    mutating func text(
        at member: String, in wire: ServiceProtocol = .json11, upTo limit: Int = UpstreamAnswer.longestRead
    ) async throws -> String? {
        guard status.kind == .successful else { return nil }
        let bytes: [UInt8]
        do {
            bytes = try await body.collected(upTo: limit)
        } catch is BodyTooLarge {
            throw UpstreamFailure("its answer has more than \(limit >> 20) MiB")
        }
        body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        let document: JSONValue? =
            if wire == .cbor { try? JSONValue(cbor: bytes) } else { try? JSONValue(parsing: bytes, repeatedNames: .lastCounts) }
        return document?[member]?.stringValue
    }
}
