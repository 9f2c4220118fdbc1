import VirgaTesting

try await withCloud { cloud in print(cloud.endpoint) }
