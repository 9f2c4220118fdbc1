package import Calls
import Cloud
import Directory
import HTTPTypes
import NIOCore
import ObjectServing
import ObjectStore
import Policy
import WireFormats

extension OSSFace {
    /// Adds an answered request to the access log of its bucket, if the bucket has one.
    func log(_ call: Call, _ response: Response, _ address: OSSAddress?) {
        guard let name = address?.bucket, let (bucket, destination) = logDestination(ofBucket: name, call) else { return }
        let entry = call.entry(status: Int(response.status.code))
        log(call, response, bucket, destination, key: address?.key, operation: entry.operation.map(Self.loggedName)) { record in
            record.errorCode = entry.errorCode
            record.requester = entry.caller.flatMap { Self.requester($0, call.cloud.directory) }
        }
    }

    /// Adds a request that came through another service to the access log of the bucket that it used, if the bucket has one. The service
    /// acts as the bucket's owner.
    package func log(_ call: Call, _ response: Response, _ access: ObjectAccess) {
        guard let (bucket, destination) = logDestination(ofBucket: access.bucket, call) else { return }
        log(call, response, bucket, destination, key: access.key, operation: Self.operation(access.kind)) { record in
            record.errorCode = call.entry(status: Int(response.status.code)).errorCode
            record.requester = bucket.account
        }
    }

    /// The bucket of this name, and where its access log goes; `nil` if it has none.
    private func logDestination(ofBucket name: String, _ call: Call) -> (bucket: Bucket, destination: AccessLog.Destination)? {
        guard let bucket = call.cloud.objects.bucket(named: name, for: .alibaba), bucket.configuration.documents[.ossLogging] != nil
        else { return nil }
        let status: XMLElement?
        do { status = try bucket.document(.ossLogging) { try XMLElement(parsing: Array($0.utf8)) } } catch {
            if let cause = error.cause { call.note(failure: cause.error) }
            return nil
        }
        guard let rule = status?.child("LoggingEnabled"), let targetName = rule.child("TargetBucket")?.text,
            let target = call.cloud.objects.bucket(named: targetName, for: .alibaba)
        else { return nil }
        return (bucket, AccessLog.Destination(target, prefix: rule.child("TargetPrefix")?.text ?? "", naming: .oss, of: bucket))
    }

    private func log(
        _ call: Call, _ response: Response, _ bucket: Bucket, _ destination: AccessLog.Destination, key: String?, operation: String?,
        _ complete: (inout OSSLogRecord) -> Void
    ) {
        let headers = call.headers
        var record = OSSLogRecord(
            remoteIP: call.sourceIP.isEmpty ? nil : call.sourceIP, time: call.received,
            requestLine: "\(call.method.rawValue) \(call.request.target) HTTP/1.1", status: Int(response.status.code),
            sentBytes: call.method == .head ? 0 : response.sentLength,
            totalMilliseconds: max(0, call.cloud.clock.now.milliseconds - call.received.milliseconds),
            referer: headers[.referer], userAgent: headers[.userAgent], host: call.authority, requestID: call.id.longText,
            operation: operation, bucket: bucket.name, key: key, requestLength: Self.length(of: call), owner: bucket.account)
        if response.status.kind == .successful {
            let sent = headers.value(of: .contentLength).flatMap { Int64(digits: $0) }
            switch operation {
            case "GetObject", "HeadObject":
                record.objectSize = response.objectSize
                record.storageClass = response.headers[.ossStorageClass] ?? OSSStorageClass.standard.rawValue
            case "PutObject", "AppendObject", "PostObject":
                record.objectSize = operation == "PutObject" ? sent : nil
                record.sizeChange = operation == "AppendObject" ? sent : nil
                let standard = BucketDefaults(of: bucket).storageClass?.stored
                record.storageClass = headers[.ossStorageClass] ?? OSSStorageClass(stored: standard).rawValue
            case "CopyObject": record.targetStorageClass = headers[.ossStorageClass]
            default: break
            }
        }
        complete(&record)
        accessLog.append(AccessLog.Line(time: record.time, text: record.line), to: destination)
    }

    /// Names of operations in logs that differ from the API Reference. (Simple Log Service User Guide, "Log fields" of OSS.)
    private static func loggedName(_ operation: String) -> String {
        switch operation {
        case "ListObjects", "ListObjectsV2": "GetBucket"
        case "DeleteMultipleObjects": "DeleteObjects"
        default: operation
        }
    }

    private static func operation(_ kind: ObjectAccess.Kind) -> String {
        switch kind {
        case .read: "GetObject"
        case .head: "HeadObject"
        case .write: "PutObject"
        case .delete: "DeleteObject"
        case .list: "GetBucket"
        case .describe: "GetBucketInfo"
        }
    }

    /// Returns the ID of the account, RAM user or role with an ARN.
    private static func requester(_ arn: String, _ directory: Directory) -> String? {
        if let user = directory.user(arn: arn) { return user.user.id }
        let fields = arn.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
        guard fields.count == 5 else { return nil }
        let (account, names) = (String(fields[3]), fields[4].split(separator: "/"))
        guard names.first == "assumed-role", names.count > 1 else { return account }
        return directory.role(String(names[1]), in: account)?.role.id ?? account
    }

    /// Returns the size of the request in bytes: its line, its header fields, and its declared body.
    private static func length(of call: Call) -> Int64 {
        let line = call.method.rawValue.utf8.count + call.request.target.utf8.count + " HTTP/1.1\r\n".utf8.count + 1
        let fields = call.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        return Int64(line + fields + 2) + (call.headers.value(of: .contentLength).flatMap { Int64(digits: $0) } ?? 0)
    }
}

extension Response {
    /// Returns the size of the whole object, from the response to a read.
    fileprivate var objectSize: Int64? {
        if let range = headers[.contentRange] { return range.split(separator: "/").last.flatMap { Int64(digits: String($0)) } }
        return headers[.contentLength].flatMap { Int64(digits: $0) }
    }
}
