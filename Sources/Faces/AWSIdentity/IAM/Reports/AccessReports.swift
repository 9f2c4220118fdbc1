import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

extension IAMFace {
    /// Operations on reports of last use of services. (IAM User Guide, "Refine permissions in AWS using last accessed information".)
    static let accessReports: [String: Operation] = [
        "GenerateServiceLastAccessedDetails": .init(generateServiceLastAccessedDetails),
        "GetServiceLastAccessedDetails": .authorized(members: { try job(&$0) }, getServiceLastAccessedDetails),
        "GetServiceLastAccessedDetailsWithEntities": .authorized(
            members: { try jobAndService(&$0) }, getServiceLastAccessedDetailsWithEntities),
    ]

    /// How long a report is available.
    private static let lifetime = Duration.seconds(7 * 86_400)

    private static func generateServiceLastAccessedDetails(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let arn = call.parameters.requiredText("Arn", length: 20...2048)
        let granularity = call.parameters.choice("Granularity", of: ["SERVICE_LEVEL", "ACTION_LEVEL"])
        try call.parameters.check()
        try call.authorize(on: arn)
        guard ServiceAccess(of: arn, in: call.account, call.directory) != nil else {
            throw ServiceError.noSuchEntity("ARN \(arn) cannot be found.")
        }
        let now = call.now
        let report = AccessReport(id: RequestID().uuid, arn: arn, tellsActions: granularity == "ACTION_LEVEL", created: now)
        let clock = call.cloud.clock
        try await call.changeAccount { account in
            account.accessReports.removeAll { clock.effective($0.created) + lifetime <= now }
            account.accessReports.append(report)
        }
        return { xml in xml.element("JobId", report.id) }
    }

    /// GetServiceLastAccessedDetails. Returns the services in which the policies allow anything, with the last use of each.
    private static func getServiceLastAccessedDetails(
        _ members: (id: String, part: PagePart), _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let (report, access) = try report(members.id, call)
        let uses = access.uses(until: report.created, in: call.cloud.journal)
        let page = try Page(of: access.services, members.part) { $0 }
        return { xml in
            report.encode(into: &xml, withType: true)
            page.encode("ServicesLastAccessed", into: &xml) { service, xml in
                ServiceLastAccessed(service: service, uses: uses.filter { $0.service == service })
                    .encode(into: &xml, tellsActions: report.tellsActions)
            }
        }
    }

    /// GetServiceLastAccessedDetailsWithEntities. Returns the users and roles with the permissions, sorted by last use, latest first.
    private static func getServiceLastAccessedDetailsWithEntities(
        _ members: (id: String, service: String, part: PagePart), _ call: IAMCall
    ) async throws -> QueryService.Result? {
        let (id, service, part) = members
        let (report, access) = try report(id, call)
        guard access.services.contains(service) else {
            throw ServiceError.noSuchEntity("Service \(service) is not part of the report \(id).")
        }
        let uses = access.uses(until: report.created, in: call.cloud.journal).filter { $0.service == service }
        let entities = access.entities.map { entity in (entity: entity, last: uses.first { $0.entity == entity }?.time) }
            .sorted { ($0.last ?? .fill, $1.entity.name) > ($1.last ?? .fill, $0.entity.name) }
        // Markers are positions in this order.
        let page = try Page(of: Array(entities.enumerated()), part) { String(1_000_000 + $0.offset) }
        return { xml in
            report.encode(into: &xml, withType: false)
            page.encode("EntityDetailsList", into: &xml) { item, xml in
                xml.element("EntityInfo") { item.element.entity.encode(into: &$0) }
                if let last = item.element.last { xml.element("LastAuthenticated", last.iso8601) }
            }
        }
    }

    private static func job(_ parameters: inout QueryParameters) throws(ServiceError) -> (id: String, part: PagePart) {
        (parameters.requiredText("JobId", length: 36...36), try parameters.part())
    }

    private static func jobAndService(
        _ parameters: inout QueryParameters
    ) throws(ServiceError) -> (id: String, service: String, part: PagePart) {
        let id = parameters.requiredText("JobId", length: 36...36)
        return (id, parameters.requiredText("ServiceNamespace", length: 1...64), try parameters.part())
    }

    /// Returns the report with an identifier, and the access of its entity, which must still exist.
    private static func report(_ id: String, _ call: IAMCall) throws(ServiceError) -> (AccessReport, ServiceAccess) {
        let reports = call.directory.accounts[call.account]?.accessReports ?? []
        guard let report = reports.first(where: { $0.id == id }), call.cloud.clock.effective(report.created) + lifetime > call.now,
            let access = ServiceAccess(of: report.arn, in: call.account, call.directory)
        else { throw .noSuchEntity("The job \(id) cannot be found.") }
        return (report, access)
    }
}

extension AccessReport {
    /// Writes the state of the job, which is complete as soon as it has begun.
    fileprivate func encode(into xml: inout XMLWriter, withType: Bool) {
        xml.element("JobStatus", "COMPLETED")
        if withType { xml.element("JobType", tellsActions ? "ACTION_LEVEL" : "SERVICE_LEVEL") }
        xml.element("JobCreationDate", created.iso8601)
        xml.element("JobCompletionDate", created.iso8601)
    }
}
