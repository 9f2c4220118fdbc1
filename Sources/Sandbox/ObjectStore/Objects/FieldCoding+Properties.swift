import SQLite
import WireFormats

/// The encoding of access control lists, locks, encryption, restorations and kinds: runs of bytes, as in ``FieldCoding``.
extension FieldCoding {
    private static let canonicalUser: UInt8 = 1
    private static let email: UInt8 = 2
    private static let group: UInt8 = 3

    /// Encodes each grant as its permission, the kind of its grantee, and the grantee's name. An empty list is not NULL: it means that not
    /// even the owner has a grant.
    static func encode(_ list: AccessControlList?) -> Value {
        guard let list else { return .null }
        var bytes: [UInt8] = []
        for grant in list.grants {
            let (kind, name) =
                switch grant.grantee {
                case .canonicalUser(let id): (canonicalUser, id)
                case .email(let address): (email, address)
                case .group(let uri): (group, uri)
                }
            append([grant.permission.rawValue, kind] + name.utf8, to: &bytes)
        }
        return .blob(bytes)
    }

    static func accessControl(in row: Row, at column: Int32) -> AccessControlList? {
        if row.isNull(column) { return nil }
        var grants: [AccessControlList.Grant] = []
        forEachRun(in: row, at: column) { run in
            guard run.count >= 2, let permission = AccessControlList.Permission(rawValue: run[0]) else { return }
            let name = String(decoding: run.dropFirst(2), as: UTF8.self)
            switch run[1] {
            case canonicalUser: grants.append(.init(.canonicalUser(name), permission))
            case email: grants.append(.init(.email(name), permission))
            case group: grants.append(.init(.group(name), permission))
            default: break
            }
        }
        return AccessControlList(grants: grants)
    }

    /// Encodes the legal hold (0 not set, 1 off, 2 on), then, if there is a retention, its mode, end and declaration.
    static func encode(_ lock: ObjectLock) -> Value {
        if lock.isEmpty { return .null }
        var bytes: [UInt8] = []
        append([lock.legalHold.map { $0 ? 2 : 1 } ?? 0], to: &bytes)
        if let retention = lock.retention {
            append([retention.mode.rawValue], to: &bytes)
            append(bigEndian(retention.until.milliseconds), to: &bytes)
            append(bigEndian(retention.declared.milliseconds), to: &bytes)
        }
        return .blob(bytes)
    }

    static func lock(in row: Row, at column: Int32) -> ObjectLock {
        if row.isNull(column) { return ObjectLock() }
        let runs = runs(in: row, at: column)
        var lock = ObjectLock()
        if let hold = runs.first?.first, hold != 0 { lock.legalHold = hold == 2 }
        if runs.count >= 4, let mode = runs[1].first.flatMap(ObjectLock.Mode.init) {
            lock.retention = ObjectLock.Retention(
                mode: mode, until: Timestamp(stored: integer(runs[2])), declared: Timestamp(stored: integer(runs[3])))
        }
        return lock
    }

    /// Encodes the scheme and the use of a bucket key, then key, context, MD5 and check, each after a flag for its presence.
    static func encode(_ encryption: ObjectEncryption?) -> Value {
        guard let encryption else { return .null }
        var bytes: [UInt8] = []
        append([encryption.scheme.rawValue, encryption.usesBucketKey ? 1 : 0], to: &bytes)
        for text in [encryption.keyID, encryption.context, encryption.customerKeyMD5] {
            append(text.map { [1] + Array($0.utf8) } ?? [0], to: &bytes)
        }
        append(encryption.customerKeyCheck, to: &bytes)
        return .blob(bytes)
    }

    static func encryption(in row: Row, at column: Int32) -> ObjectEncryption? {
        if row.isNull(column) { return nil }
        let runs = runs(in: row, at: column)
        guard runs.count >= 5, runs[0].count == 2, let scheme = ObjectEncryption.Scheme(rawValue: runs[0][0]) else { return nil }
        let texts = runs[1...3].map { $0.first == 1 ? String(decoding: $0.dropFirst(), as: UTF8.self) : nil }
        return ObjectEncryption(
            scheme: scheme, keyID: texts[0], context: texts[1], usesBucketKey: runs[0][1] == 1, customerKeyMD5: texts[2],
            customerKeyCheck: runs[4])
    }

    /// Encodes the end, the declaration, and the time at which the copy is ready, if there is one.
    static func encode(_ restoration: Restoration?) -> Value {
        guard let restoration else { return .null }
        var bytes: [UInt8] = []
        append(bigEndian(restoration.until.milliseconds), to: &bytes)
        append(bigEndian(restoration.declared.milliseconds), to: &bytes)
        if let ready = restoration.ready { append(bigEndian(ready.milliseconds), to: &bytes) }
        return .blob(bytes)
    }

    static func restoration(in row: Row, at column: Int32) -> Restoration? {
        if row.isNull(column) { return nil }
        let runs = runs(in: row, at: column)
        guard runs.count >= 2 else { return nil }
        return Restoration(
            until: Timestamp(stored: integer(runs[0])), declared: Timestamp(stored: integer(runs[1])),
            ready: runs.count > 2 ? Timestamp(stored: integer(runs[2])) : nil)
    }

    private static let appendable: UInt8 = 1
    private static let symlink: UInt8 = 2

    /// Encodes the kind, then the time of sealing or the target of the link; NULL for a normal object.
    static func encode(_ kind: ObjectKind) -> Value {
        var bytes: [UInt8] = []
        switch kind {
        case .normal: return .null
        case .appendable(let sealed):
            append([appendable], to: &bytes)
            if let sealed { append(bigEndian(sealed.milliseconds), to: &bytes) }
        case .symlink(let target):
            append([symlink], to: &bytes)
            append(target.utf8, to: &bytes)
        }
        return .blob(bytes)
    }

    static func kind(in row: Row, at column: Int32) -> ObjectKind {
        if row.isNull(column) { return .normal }
        let runs = runs(in: row, at: column)
        switch runs.first?.first {
        case appendable: return .appendable(sealed: runs.count > 1 ? Timestamp(stored: integer(runs[1])) : nil)
        case symlink where runs.count > 1: return .symlink(target: String(decoding: runs[1], as: UTF8.self))
        default: return .normal
        }
    }

    private static func runs(in row: Row, at column: Int32) -> [[UInt8]] {
        var runs: [[UInt8]] = []
        forEachRun(in: row, at: column) { runs.append(Array($0)) }
        return runs
    }

    private static func bigEndian(_ integer: Int64) -> [UInt8] { withUnsafeBytes(of: integer.bigEndian) { Array($0) } }

    private static func integer(_ bytes: [UInt8]) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }
}
