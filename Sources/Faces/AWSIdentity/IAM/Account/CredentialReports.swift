import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on the credential report: a table of an account's users and their credentials. (IAM User Guide, "Generate credential
    /// reports".)
    static let credentialReports: [String: Operation] = [
        "GenerateCredentialReport": .authorized(generateCredentialReport), "GetCredentialReport": .authorized(getCredentialReport),
    ]

    /// The time until a new report can be generated.
    private static let lifetime = Duration.seconds(4 * 3600)

    /// GenerateCredentialReport. A report is ready immediately; further calls return the state `COMPLETE`.
    private static func generateCredentialReport(_ call: IAMCall) async throws -> QueryService.Result? {
        let cloud = call.cloud
        let now = call.now
        let isNew = try await cloud.edit { [id = call.account] directory -> Bool in
            guard var account = directory.accounts[id] else { throw ServiceError.invalidClientToken }
            if let report = account.credentialReport, cloud.clock.effective(report.generated) + lifetime > now { return false }
            account.credentialReport = CredentialReport(
                generated: now, content: directory.credentialReport(of: account, uses: cloud.keyUses, clock: cloud.clock))
            directory.put(.account(account))
            return true
        }
        return { xml in
            xml.element("State", isNew ? "STARTED" : "COMPLETE")
            if isNew { xml.element("Description", "No report exists. Starting a new report generation task") }
        }
    }

    private static func getCredentialReport(_ call: IAMCall) async throws -> QueryService.Result? {
        guard let report = call.directory.accounts[call.account]?.credentialReport else {
            throw ServiceError("ReportNotPresent", .gone, "No report exists. Call GenerateCredentialReport to generate one.")
        }
        let generated = call.cloud.clock.effective(report.generated)
        guard generated + lifetime > call.now else {
            throw ServiceError("ReportExpired", .gone, "The most recent credential report has expired.")
        }
        return { xml in
            xml.element("Content", Array(report.content.utf8).base64)
            xml.element("ReportFormat", "text/csv")
            xml.element("GeneratedTime", generated.iso8601)
        }
    }
}

extension Directory {
    private static let columns = [
        "user", "arn", "user_creation_time", "password_enabled", "password_last_used", "password_last_changed", "password_next_rotation",
        "mfa_active", "access_key_1_active", "access_key_1_last_rotated", "access_key_1_last_used_date", "access_key_1_last_used_region",
        "access_key_1_last_used_service", "access_key_2_active", "access_key_2_last_rotated", "access_key_2_last_used_date",
        "access_key_2_last_used_region", "access_key_2_last_used_service", "cert_1_active", "cert_1_last_rotated", "cert_2_active",
        "cert_2_last_rotated",
    ]

    /// Returns the report: a line for the root user and one for each user. Its times are the effective ones.
    fileprivate func credentialReport(of account: Account, uses: KeyUses, clock: SandboxClock) -> String {
        var lines = [Self.columns]
        lines.append(
            [
                "<root_account>", account.rootARN, Timestamp.fill.reportText, "not_supported", "no_information", "not_supported",
                "not_supported",
            ]
                + [hasDevice("", in: account)] + Self.fields(of: account.rootKeys, uses, clock) + Self.fields(of: [], clock))
        let users = users.values.map(\.user).filter { $0.account == account.id }.sorted { $0.sortKey < $1.sortKey }
        for user in users {
            let profile = user.loginProfile
            let changed = profile.map { clock.effective($0.changed) }
            let rotation = account.passwordPolicy?.maximumAge.flatMap { days in changed.map { $0 + .seconds(days * 86_400) } }
            lines.append(
                [
                    user.name, user.arn, clock.effective(user.created).reportText, profile == nil ? "false" : "true",
                    profile == nil ? "N/A" : "no_information", changed?.reportText ?? "N/A", rotation?.reportText ?? "N/A",
                    hasDevice(user.name, in: account),
                ] + Self.fields(of: user.accessKeys, uses, clock) + Self.fields(of: user.signingCertificates, clock))
        }
        // Names of users may contain a comma.
        return lines.map { $0.map { $0.contains(",") ? "\"\($0)\"" : $0 }.joined(separator: ",") }.joined(separator: "\n")
    }

    private func hasDevice(_ user: String, in account: Account) -> String { devices(of: user, in: account.id).isEmpty ? "false" : "true" }

    private static func fields(of keys: [AccessKey], _ uses: KeyUses, _ clock: SandboxClock) -> [String] {
        (0..<2).flatMap { index -> [String] in
            guard index < keys.count else { return ["false", "N/A", "N/A", "N/A", "N/A"] }
            let use = uses.lastUse(of: keys[index])
            return [
                keys[index].isActive ? "true" : "false", clock.effective(keys[index].created).reportText,
                use?.reportedTime(by: clock).reportText ?? "N/A", use?.region ?? "N/A", use?.service ?? "N/A",
            ]
        }
    }

    private static func fields(of certificates: [SigningCertificate], _ clock: SandboxClock) -> [String] {
        (0..<2).flatMap { index -> [String] in
            guard index < certificates.count else { return ["false", "N/A"] }
            return [certificates[index].isActive ? "true" : "false", clock.effective(certificates[index].uploaded).reportText]
        }
    }
}

extension Timestamp {
    /// The time in the format of reports: `2026-11-21T08:00:00+00:00`.
    fileprivate var reportText: String { iso8601.dropLast() + "+00:00" }
}
