import Calls
import Cloud
import ControlFace
import ObjectStore
import WireFormats

extension SandboxRegistry: ServerProcess {
    package var isDraining: Bool { services.drain.isOn }

    package var openConnections: Int { services.connections.count }

    package func drain(_ isDraining: Bool) {
        services.drain.set(isDraining)
        if isDraining { services.connections.announceDrain() }
    }

    package func metrics(isOpenMetrics: Bool) -> String {
        var exposition = Exposition(isOpenMetrics: isOpenMetrics)
        addRequests(to: &exposition)
        addSandboxes(to: &exposition)
        addProcess(to: &exposition)
        return exposition.finish()
    }

    private func addRequests(to exposition: inout Exposition) {
        let totals = services.requests.totals
        exposition.begin("virga_http_requests_total", .counter, "Answered requests by service and class of status.")
        for (service, counts) in totals {
            for (name, count) in zip(RequestMetrics.classes, counts.byClass) where name != "1xx" {
                exposition.add("virga_http_requests_total", ["service": service.label, "status": name], "\(count)")
            }
        }
        exposition.begin(
            "virga_http_request_duration_seconds", .histogram, "Time from the head of a request to the head of its response, by service.")
        for (service, counts) in totals {
            let cumulative = counts.cumulative
            for (bound, count) in zip(RequestMetrics.bounds.map(\.label) + ["+Inf"], cumulative) {
                exposition.add("virga_http_request_duration_seconds_bucket", ["service": service.label, "le": bound], "\(count)")
            }
            exposition.add(
                "virga_http_request_duration_seconds_sum", ["service": service.label], "\(counts.duration.inSeconds)")
            exposition.add("virga_http_request_duration_seconds_count", ["service": service.label], "\(cumulative.last ?? 0)")
        }
        exposition.begin("virga_http_request_bytes_total", .counter, "Declared lengths of request bodies, by service.")
        for (service, counts) in totals {
            exposition.add("virga_http_request_bytes_total", ["service": service.label], "\(counts.received)")
        }
        exposition.begin("virga_http_response_bytes_total", .counter, "Declared lengths of response bodies, by service.")
        for (service, counts) in totals {
            exposition.add("virga_http_response_bytes_total", ["service": service.label], "\(counts.sent)")
        }
        exposition.add("virga_connections_open", .gauge, "Open connections.", services.connections.count)
        exposition.add("virga_connections_accepted_total", .counter, "Accepted connections.", services.connections.accepted)
        exposition.add(
            "virga_unread_response_bytes", .gauge, "Memory of responses that clients have not read yet.", services.memory.held)
        exposition.add("virga_draining", .gauge, "Whether the process is being drained.", isDraining ? 1 : 0)
    }

    private func addSandboxes(to exposition: inout Exposition) {
        let sandboxes = allSandboxes
        let worlds = sandboxes.compactMap(\.world)
        exposition.begin("virga_sandboxes", .gauge, "Sandboxes by state, the default one among them.")
        exposition.add("virga_sandboxes", ["state": "open"], "\(worlds.count)")
        exposition.add("virga_sandboxes", ["state": "evicted"], "\(sandboxes.count - worlds.count)")
        exposition.add(
            "virga_sandboxes_limit", .gauge, "The most sandboxes that may exist besides the default one.", settings.sandboxes.count)
        let folders = sandboxes.map { files.world($0.record.world) + "/" + DataFolder.databaseName }
        exposition.begin("virga_database_bytes", .gauge, "Sizes of the sandboxes' files: the databases, and their write-ahead logs.")
        for (file, suffix) in [("database", ""), ("log", "-wal")] {
            let size = folders.reduce(0) { $0 + FrozenDatabase(path: $1 + suffix).size }
            exposition.add("virga_database_bytes", ["file": file], "\(size)")
        }
        let snapshots = snapshots()
        exposition.add("virga_snapshots", .gauge, "Snapshots.", snapshots.count)
        exposition.add("virga_snapshots_bytes", .gauge, "Size of the snapshots.", snapshots.reduce(0) { $0 + $1.bytes })
        let journals = worlds.map(\.cloud.journal.extent)
        exposition.add(
            "virga_journal_entries", .gauge, "Entries in the journals of the open sandboxes.", journals.reduce(0) { $0 + $1.entries })
        exposition.add(
            "virga_journal_bytes", .gauge, "Estimated memory of the journals of the open sandboxes.", journals.reduce(0) { $0 + $1.bytes })
    }

    private func addProcess(to exposition: inout Exposition) {
        let parts = VirgaVersion.text.split(separator: " ")
        let commit = parts.count > 1 ? String(parts[1].dropFirst().dropLast()) : ""
        exposition.begin("virga_build_info", .gauge, "The version of the program; the value is always 1.")
        exposition.add("virga_build_info", ["version": VirgaVersion.number, "commit": commit], "1")
        let process = ProcessStatistics()
        if let cpu = process.cpu {
            exposition.add(
                "process_cpu_seconds_total", .counter, "Total user and system CPU time spent in seconds.", seconds: cpu)
        }
        let gauges: [(name: String, help: String, value: Int?)] = [
            ("process_resident_memory_bytes", "Resident memory size in bytes.", process.residentMemory),
            ("process_virtual_memory_bytes", "Virtual memory size in bytes.", process.virtualMemory),
            ("process_open_fds", "Number of open file descriptors.", process.openDescriptors),
            ("process_max_fds", "Maximum number of open file descriptors.", process.descriptorLimit),
            ("process_threads", "Number of OS threads in the process.", process.threads),
        ]
        for gauge in gauges {
            if let value = gauge.value { exposition.add(gauge.name, .gauge, gauge.help, value) }
        }
        if let start = process.start {
            exposition.add(
                "process_start_time_seconds", .gauge, "Start time of the process since unix epoch in seconds.", seconds: start)
        }
    }
}
