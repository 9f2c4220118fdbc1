extension AWSManagedPolicy {
    /// Policies for machines and containers. (AWS Managed Policy Reference; the documents are AWS's own.)
    static let compute1: [AWSManagedPolicy] = [
        .init(
            "AmazonEBSCSIDriverPolicy", path: "/service-role/", version: 15, created: 1649093069, updated: 1778694142,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ec2:DescribeAvailabilityZones",
             "ec2:DescribeInstances", "ec2:DescribeInstanceTypes", "ec2:DescribeSnapshots", "ec2:DescribeTags", "ec2:DescribeVolumes",
             "ec2:DescribeVolumesModifications", "ec2:DescribeVolumeStatus"], "Resource": "*"}, {"Effect": "Allow", "Action":
             ["ec2:CreateSnapshot", "ec2:ModifyVolume"], "Resource": "arn:aws:ec2:*:*:volume/*"}, {"Effect": "Allow", "Action":
             ["ec2:CopyVolumes"], "Resource": ["arn:aws:ec2:*:*:volume/vol-*"]}, {"Effect": "Allow", "Action": ["ec2:AttachVolume",
             "ec2:DetachVolume"], "Resource": ["arn:aws:ec2:*:*:volume/*", "arn:aws:ec2:*:*:instance/*"]}, {"Effect": "Allow", "Action":
             ["ec2:CreateVolume", "ec2:EnableFastSnapshotRestores"], "Resource": "arn:aws:ec2:*:*:snapshot/*"}, {"Effect": "Allow",
             "Action": ["ec2:CreateTags"], "Resource": ["arn:aws:ec2:*:*:volume/*", "arn:aws:ec2:*:*:snapshot/*"], "Condition":
             {"StringEquals": {"ec2:CreateAction": ["CreateVolume", "CreateSnapshot", "CopyVolumes"]}}}, {"Effect": "Allow", "Action":
             ["ec2:DeleteTags"], "Resource": ["arn:aws:ec2:*:*:volume/*", "arn:aws:ec2:*:*:snapshot/*"]}, {"Effect": "Allow", "Action":
             ["ec2:CreateVolume", "ec2:CopyVolumes"], "Resource": "arn:aws:ec2:*:*:volume/*", "Condition": {"StringLike":
             {"aws:RequestTag/ebs.csi.aws.com/cluster": "true"}}}, {"Effect": "Allow", "Action": ["ec2:CreateVolume", "ec2:CopyVolumes"],
             "Resource": "arn:aws:ec2:*:*:volume/*", "Condition": {"StringLike": {"aws:RequestTag/CSIVolumeName": "*"}}}, {"Effect":
             "Allow", "Action": ["ec2:DeleteVolume"], "Resource": "arn:aws:ec2:*:*:volume/*", "Condition": {"StringLike":
             {"ec2:ResourceTag/ebs.csi.aws.com/cluster": "true"}}}, {"Effect": "Allow", "Action": ["ec2:DeleteVolume"], "Resource":
             "arn:aws:ec2:*:*:volume/*", "Condition": {"StringLike": {"ec2:ResourceTag/CSIVolumeName": "*"}}}, {"Effect": "Allow",
             "Action": ["ec2:DeleteVolume"], "Resource": "arn:aws:ec2:*:*:volume/*", "Condition": {"StringLike":
             {"ec2:ResourceTag/kubernetes.io/created-for/pvc/name": "*"}}}, {"Effect": "Allow", "Action": ["ec2:CreateSnapshot"],
             "Resource": "arn:aws:ec2:*:*:snapshot/*", "Condition": {"StringLike": {"aws:RequestTag/CSIVolumeSnapshotName": "*"}}},
             {"Effect": "Allow", "Action": ["ec2:CreateSnapshot"], "Resource": "arn:aws:ec2:*:*:snapshot/*", "Condition": {"StringLike":
             {"aws:RequestTag/ebs.csi.aws.com/cluster": "true"}}}, {"Effect": "Allow", "Action": ["ec2:DeleteSnapshot",
             "ec2:LockSnapshot"], "Resource": "arn:aws:ec2:*:*:snapshot/*", "Condition": {"StringLike":
             {"ec2:ResourceTag/CSIVolumeSnapshotName": "*"}}}, {"Effect": "Allow", "Action": ["ec2:DeleteSnapshot", "ec2:LockSnapshot"],
             "Resource": "arn:aws:ec2:*:*:snapshot/*", "Condition": {"StringLike": {"ec2:ResourceTag/ebs.csi.aws.com/cluster": "true"}}}]}
            """#),
        .init(
            "AmazonEC2ContainerRegistryFullAccess", path: "/", version: 3, created: 1450717608, updated: 1607126659,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ecr:*", "cloudtrail:LookupEvents"], "Resource": "*"},
             {"Effect": "Allow", "Action": ["iam:CreateServiceLinkedRole"], "Resource": "*", "Condition": {"StringEquals":
             {"iam:AWSServiceName": ["replication.ecr.amazonaws.com"]}}}]}
            """#),
        .init(
            "AmazonEC2ContainerRegistryPowerUser", path: "/", version: 3, created: 1450717533, updated: 1576010888,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ecr:GetAuthorizationToken",
             "ecr:BatchCheckLayerAvailability", "ecr:GetDownloadUrlForLayer", "ecr:GetRepositoryPolicy", "ecr:DescribeRepositories",
             "ecr:ListImages", "ecr:DescribeImages", "ecr:BatchGetImage", "ecr:GetLifecyclePolicy", "ecr:GetLifecyclePolicyPreview",
             "ecr:ListTagsForResource", "ecr:DescribeImageScanFindings", "ecr:InitiateLayerUpload", "ecr:UploadLayerPart",
             "ecr:CompleteLayerUpload", "ecr:PutImage"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonEC2ContainerRegistryPullOnly", path: "/", version: 1, created: 1728061129, updated: 1728061129,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ecr:GetAuthorizationToken", "ecr:BatchGetImage",
             "ecr:GetDownloadUrlForLayer", "ecr:BatchImportUpstreamImage"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonEC2ContainerRegistryReadOnly", path: "/", version: 3, created: 1450717455, updated: 1576011392,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ecr:GetAuthorizationToken",
             "ecr:BatchCheckLayerAvailability", "ecr:GetDownloadUrlForLayer", "ecr:GetRepositoryPolicy", "ecr:DescribeRepositories",
             "ecr:ListImages", "ecr:DescribeImages", "ecr:BatchGetImage", "ecr:GetLifecyclePolicy", "ecr:GetLifecyclePolicyPreview",
             "ecr:ListTagsForResource", "ecr:DescribeImageScanFindings"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonEC2ContainerServiceforEC2Role", path: "/service-role/", version: 10, created: 1426790718, updated: 1770919192,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ec2:DescribeTags", "ecs:CreateCluster",
             "ecs:DeregisterContainerInstance", "ecs:DiscoverPollEndpoint", "ecs:Poll", "ecs:RegisterContainerInstance",
             "ecs:StartTelemetrySession", "ecs:UpdateContainerInstancesState", "ecs:Submit*", "ecr:GetAuthorizationToken",
             "ecr:BatchCheckLayerAvailability", "ecr:GetDownloadUrlForLayer", "ecr:BatchGetImage", "logs:CreateLogStream",
             "logs:PutLogEvents"], "Resource": "*"}, {"Effect": "Allow", "Action": "ecs:TagResource", "Resource": "*", "Condition":
             {"StringEquals": {"ecs:CreateAction": ["CreateCluster", "RegisterContainerInstance"]}}}, {"Effect": "Allow", "Action":
             ["ecs:ListTagsForResource"], "Resource": ["arn:aws:ecs:*:*:task/*/*", "arn:aws:ecs:*:*:container-instance/*/*"]}]}
            """#),
        .init(
            "AmazonEC2FullAccess", path: "/", version: 5, created: 1423248015, updated: 1543285016,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "ec2:*", "Resource": "*"}, {"Effect": "Allow", "Action":
             "elasticloadbalancing:*", "Resource": "*"}, {"Effect": "Allow", "Action": "cloudwatch:*", "Resource": "*"}, {"Effect":
             "Allow", "Action": "autoscaling:*", "Resource": "*"}, {"Effect": "Allow", "Action": "iam:CreateServiceLinkedRole",
             "Resource": "*", "Condition": {"StringEquals": {"iam:AWSServiceName": ["autoscaling.amazonaws.com",
             "ec2scheduled.amazonaws.com", "elasticloadbalancing.amazonaws.com", "spot.amazonaws.com", "spotfleet.amazonaws.com",
             "transitgateway.amazonaws.com"]}}}]}
            """#),
        .init(
            "AmazonEC2ReadOnlyAccess", path: "/", version: 5, created: 1423248017, updated: 1770919397,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ec2:Describe*", "ec2:GetSecurityGroupsForVpc"],
             "Resource": "*"}, {"Effect": "Allow", "Action": "elasticloadbalancing:Describe*", "Resource": "*"}, {"Effect": "Allow",
             "Action": ["cloudwatch:ListMetrics", "cloudwatch:GetMetricStatistics", "cloudwatch:Describe*"], "Resource": "*"}, {"Effect":
             "Allow", "Action": "autoscaling:Describe*", "Resource": "*"}]}
            """#),
        .init(
            "AmazonEC2RoleforSSM", path: "/service-role/", version: 8, created: 1432921715, updated: 1548357651,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ssm:DescribeAssociation",
             "ssm:GetDeployablePatchSnapshotForInstance", "ssm:GetDocument", "ssm:DescribeDocument", "ssm:GetManifest",
             "ssm:GetParameters", "ssm:ListAssociations", "ssm:ListInstanceAssociations", "ssm:PutInventory", "ssm:PutComplianceItems",
             "ssm:PutConfigurePackageResult", "ssm:UpdateAssociationStatus", "ssm:UpdateInstanceAssociationStatus",
             "ssm:UpdateInstanceInformation"], "Resource": "*"}, {"Effect": "Allow", "Action": ["ssmmessages:CreateControlChannel",
             "ssmmessages:CreateDataChannel", "ssmmessages:OpenControlChannel", "ssmmessages:OpenDataChannel"], "Resource": "*"},
             {"Effect": "Allow", "Action": ["ec2messages:AcknowledgeMessage", "ec2messages:DeleteMessage", "ec2messages:FailMessage",
             "ec2messages:GetEndpoint", "ec2messages:GetMessages", "ec2messages:SendReply"], "Resource": "*"}, {"Effect": "Allow",
             "Action": ["cloudwatch:PutMetricData"], "Resource": "*"}, {"Effect": "Allow", "Action": ["ec2:DescribeInstanceStatus"],
             "Resource": "*"}, {"Effect": "Allow", "Action": ["ds:CreateComputer", "ds:DescribeDirectories"], "Resource": "*"}, {"Effect":
             "Allow", "Action": ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:DescribeLogGroups", "logs:DescribeLogStreams",
             "logs:PutLogEvents"], "Resource": "*"}, {"Effect": "Allow", "Action": ["s3:GetBucketLocation", "s3:PutObject",
             "s3:GetObject", "s3:GetEncryptionConfiguration", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts", "s3:ListBucket",
             "s3:ListBucketMultipartUploads"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonECS_FullAccess", path: "/", version: 22, created: 1510090614, updated: 1788360427,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "ECSIntegrationsManagementPolicy", "Effect": "Allow", "Action":
             ["application-autoscaling:DeleteScalingPolicy", "application-autoscaling:DeregisterScalableTarget",
             "application-autoscaling:DescribeScalableTargets", "application-autoscaling:DescribeScalingActivities",
             "application-autoscaling:DescribeScalingPolicies", "application-autoscaling:PutScalingPolicy",
             "application-autoscaling:RegisterScalableTarget", "appmesh:DescribeVirtualGateway", "appmesh:DescribeVirtualNode",
             "appmesh:ListMeshes", "appmesh:ListVirtualGateways", "appmesh:ListVirtualNodes", "autoscaling:CreateAutoScalingGroup",
             "autoscaling:CreateLaunchConfiguration", "autoscaling:DeleteAutoScalingGroup", "autoscaling:DeleteLaunchConfiguration",
             "autoscaling:Describe*", "autoscaling:UpdateAutoScalingGroup", "cloudformation:CreateStack", "cloudformation:DeleteStack",
             "cloudformation:DescribeStack*", "cloudformation:UpdateStack", "cloudwatch:DeleteAlarms", "cloudwatch:DescribeAlarms",
             "cloudwatch:GetMetricStatistics", "cloudwatch:PutMetricAlarm", "codedeploy:BatchGetApplicationRevisions",
             "codedeploy:BatchGetApplications", "codedeploy:BatchGetDeploymentGroups", "codedeploy:BatchGetDeployments",
             "codedeploy:ContinueDeployment", "codedeploy:CreateApplication", "codedeploy:CreateDeployment",
             "codedeploy:CreateDeploymentGroup", "codedeploy:GetApplication", "codedeploy:GetApplicationRevision",
             "codedeploy:GetDeployment", "codedeploy:GetDeploymentConfig", "codedeploy:GetDeploymentGroup",
             "codedeploy:GetDeploymentTarget", "codedeploy:ListApplicationRevisions", "codedeploy:ListApplications",
             "codedeploy:ListDeploymentConfigs", "codedeploy:ListDeploymentGroups", "codedeploy:ListDeployments",
             "codedeploy:ListDeploymentTargets", "codedeploy:RegisterApplicationRevision", "codedeploy:StopDeployment",
             "ec2:AssociateRouteTable", "ec2:AttachInternetGateway", "ec2:AuthorizeSecurityGroupIngress", "ec2:CancelSpotFleetRequests",
             "ec2:CreateInternetGateway", "ec2:CreateLaunchTemplate", "ec2:CreateRoute", "ec2:CreateRouteTable",
             "ec2:CreateSecurityGroup", "ec2:CreateSubnet", "ec2:CreateVpc", "ec2:DeleteLaunchTemplate", "ec2:DeleteSubnet",
             "ec2:DeleteVpc", "ec2:Describe*", "ec2:DetachInternetGateway", "ec2:DisassociateRouteTable", "ec2:ModifySubnetAttribute",
             "ec2:ModifyVpcAttribute", "ec2:RequestSpotFleet", "ec2:RunInstances", "ecs:*", "elasticfilesystem:DescribeAccessPoints",
             "elasticfilesystem:DescribeFileSystems", "elasticloadbalancing:CreateListener", "elasticloadbalancing:CreateLoadBalancer",
             "elasticloadbalancing:CreateRule", "elasticloadbalancing:CreateTargetGroup", "elasticloadbalancing:DeleteListener",
             "elasticloadbalancing:DeleteLoadBalancer", "elasticloadbalancing:DeleteRule", "elasticloadbalancing:DeleteTargetGroup",
             "elasticloadbalancing:DescribeListeners", "elasticloadbalancing:DescribeLoadBalancers", "elasticloadbalancing:DescribeRules",
             "elasticloadbalancing:DescribeTargetGroups", "events:DeleteRule", "events:DescribeRule", "events:ListRuleNamesByTarget",
             "events:ListTargetsByRule", "events:PutRule", "events:PutTargets", "events:RemoveTargets", "fsx:DescribeFileSystems",
             "iam:ListAttachedRolePolicies", "iam:ListInstanceProfiles", "iam:ListRoles", "lambda:ListFunctions", "logs:CreateLogGroup",
             "logs:DescribeLogGroups", "logs:FilterLogEvents", "route53:CreateHostedZone", "route53:DeleteHostedZone",
             "route53:GetHealthCheck", "route53:GetHostedZone", "route53:ListHostedZonesByName",
             "servicediscovery:CreatePrivateDnsNamespace", "servicediscovery:CreateService", "servicediscovery:DeleteService",
             "servicediscovery:GetNamespace", "servicediscovery:GetOperation", "servicediscovery:GetService",
             "servicediscovery:ListNamespaces", "servicediscovery:ListServices", "servicediscovery:UpdateService", "sns:ListTopics"],
             "Resource": ["*"]}, {"Sid": "SSMPolicy", "Effect": "Allow", "Action": ["ssm:GetParameter", "ssm:GetParameters",
             "ssm:GetParametersByPath"], "Resource": "arn:aws:ssm:*:*:parameter/aws/service/ecs*"}, {"Sid":
             "ManagedCloudformationResourcesCleanupPolicy", "Effect": "Allow", "Action": ["ec2:DeleteInternetGateway", "ec2:DeleteRoute",
             "ec2:DeleteRouteTable", "ec2:DeleteSecurityGroup"], "Resource": ["*"], "Condition": {"StringLike":
             {"ec2:ResourceTag/aws:cloudformation:stack-name": "EC2ContainerService-*"}}}, {"Sid": "TasksPassRolePolicy", "Effect":
             "Allow", "Action": "iam:PassRole", "Resource": ["*"], "Condition": {"StringLike": {"iam:PassedToService":
             "ecs-tasks.amazonaws.com"}}}, {"Sid": "InfrastructurePassRolePolicy", "Effect": "Allow", "Action": "iam:PassRole",
             "Resource": ["arn:aws:iam::*:role/ecsInfrastructureRole"], "Condition": {"StringEquals": {"iam:PassedToService":
             "ecs.amazonaws.com"}}}, {"Sid": "InstancePassRolePolicy", "Effect": "Allow", "Action": "iam:PassRole", "Resource":
             ["arn:aws:iam::*:role/ecsInstanceRole*"], "Condition": {"StringLike": {"iam:PassedToService": ["ec2.amazonaws.com",
             "ec2.amazonaws.com.cn"]}}}, {"Sid": "AutoScalingPassRolePolicy", "Effect": "Allow", "Action": "iam:PassRole", "Resource":
             ["arn:aws:iam::*:role/ecsAutoscaleRole*"], "Condition": {"StringLike": {"iam:PassedToService":
             ["application-autoscaling.amazonaws.com", "application-autoscaling.amazonaws.com.cn"]}}}, {"Sid":
             "ServiceLinkedRoleCreationPolicy", "Effect": "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource": "*", "Condition":
             {"StringLike": {"iam:AWSServiceName": ["ecs.amazonaws.com", "autoscaling.amazonaws.com",
             "ecs.application-autoscaling.amazonaws.com", "spot.amazonaws.com", "spotfleet.amazonaws.com"]}}}, {"Sid": "ELBTaggingPolicy",
             "Effect": "Allow", "Action": ["elasticloadbalancing:AddTags"], "Resource": "*", "Condition": {"StringEquals":
             {"elasticloadbalancing:CreateAction": ["CreateTargetGroup", "CreateRule", "CreateListener", "CreateLoadBalancer"]}}}, {"Sid":
             "CloudFormationTagOnCreate", "Effect": "Allow", "Action": ["cloudformation:TagResource", "cloudformation:UntagResource"],
             "Resource": "*", "Condition": {"StringEquals": {"cloudformation:CreateAction": ["CreateStack", "UpdateStack"]}}}]}
            """#),
        .init(
            "AmazonECSInfrastructureRolePolicyForVolumes", path: "/service-role/", version: 5, created: 1704927401, updated: 1770919354,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "CreateEBSManagedVolume", "Effect": "Allow", "Action": "ec2:CreateVolume",
             "Resource": "arn:aws:ec2:*:*:volume/*", "Condition": {"ArnLike": {"aws:RequestTag/AmazonECSCreated":
             "arn:aws:ecs:*:*:task/*"}, "StringEquals": {"aws:RequestTag/AmazonECSManaged": "true"}}}, {"Sid":
             "CreateEBSManagedVolumeFromSnapshot", "Effect": "Allow", "Action": "ec2:CreateVolume", "Resource":
             "arn:aws:ec2:*:*:snapshot/*"}, {"Sid": "TagOnCreateVolume", "Effect": "Allow", "Action": "ec2:CreateTags", "Resource":
             "arn:aws:ec2:*:*:volume/*", "Condition": {"ArnLike": {"aws:RequestTag/AmazonECSCreated": "arn:aws:ecs:*:*:task/*"},
             "StringEquals": {"aws:RequestTag/AmazonECSManaged": "true", "ec2:CreateAction": "CreateVolume"}}}, {"Sid":
             "DescribeVolumesForLifecycle", "Effect": "Allow", "Action": ["ec2:DescribeVolumes", "ec2:DescribeAvailabilityZones"],
             "Resource": "*"}, {"Sid": "DescribeInstancesForAttachingVolume", "Effect": "Allow", "Action": ["ec2:DescribeInstances"],
             "Resource": "*"}, {"Sid": "ManageEBSVolumeLifecycle", "Effect": "Allow", "Action": ["ec2:AttachVolume", "ec2:DetachVolume"],
             "Resource": "arn:aws:ec2:*:*:volume/*", "Condition": {"StringEquals": {"aws:ResourceTag/AmazonECSManaged": "true"}}}, {"Sid":
             "ManageVolumeAttachmentsForEC2", "Effect": "Allow", "Action": ["ec2:AttachVolume", "ec2:DetachVolume"], "Resource":
             "arn:aws:ec2:*:*:instance/*"}, {"Sid": "DeleteEBSManagedVolume", "Effect": "Allow", "Action": "ec2:DeleteVolume", "Resource":
             "arn:aws:ec2:*:*:volume/*", "Condition": {"ArnLike": {"aws:ResourceTag/AmazonECSCreated": "arn:aws:ecs:*:*:task/*"},
             "StringEquals": {"aws:ResourceTag/AmazonECSManaged": "true"}}}]}
            """#),
        .init(
            "AmazonECSTaskExecutionRolePolicy", path: "/service-role/", version: 1, created: 1510858102, updated: 1510858102,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ecr:GetAuthorizationToken",
             "ecr:BatchCheckLayerAvailability", "ecr:GetDownloadUrlForLayer", "ecr:BatchGetImage", "logs:CreateLogStream",
             "logs:PutLogEvents"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonEFSCSIDriverPolicy", path: "/service-role/", version: 1, created: 1690315804, updated: 1690315804,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AllowDescribe", "Effect": "Allow", "Action":
             ["elasticfilesystem:DescribeAccessPoints", "elasticfilesystem:DescribeFileSystems", "elasticfilesystem:DescribeMountTargets",
             "ec2:DescribeAvailabilityZones"], "Resource": "*"}, {"Sid": "AllowCreateAccessPoint", "Effect": "Allow", "Action":
             ["elasticfilesystem:CreateAccessPoint"], "Resource": "*", "Condition": {"ForAllValues:StringEquals": {"aws:TagKeys":
             "efs.csi.aws.com/cluster"}, "Null": {"aws:RequestTag/efs.csi.aws.com/cluster": "false"}}}, {"Sid": "AllowTagNewAccessPoints",
             "Effect": "Allow", "Action": ["elasticfilesystem:TagResource"], "Resource": "*", "Condition": {"ForAllValues:StringEquals":
             {"aws:TagKeys": "efs.csi.aws.com/cluster"}, "Null": {"aws:RequestTag/efs.csi.aws.com/cluster": "false"}, "StringEquals":
             {"elasticfilesystem:CreateAction": "CreateAccessPoint"}}}, {"Sid": "AllowDeleteAccessPoint", "Effect": "Allow", "Action":
             "elasticfilesystem:DeleteAccessPoint", "Resource": "*", "Condition": {"Null": {"aws:ResourceTag/efs.csi.aws.com/cluster":
             "false"}}}]}
            """#),
        .init(
            "AmazonEKS_CNI_Policy", path: "/", version: 6, created: 1527455262, updated: 1772651534,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AmazonEKSCNIPolicy", "Effect": "Allow", "Action":
             ["ec2:AssignPrivateIpAddresses", "ec2:AttachNetworkInterface", "ec2:CreateNetworkInterface", "ec2:DeleteNetworkInterface",
             "ec2:DescribeInstances", "ec2:DescribeTags", "ec2:DescribeNetworkInterfaces", "ec2:DescribeInstanceTypes",
             "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups", "ec2:DetachNetworkInterface", "ec2:ModifyNetworkInterfaceAttribute",
             "ec2:UnassignPrivateIpAddresses"], "Resource": "*"}, {"Sid": "AmazonEKSCNIPolicyENITag", "Effect": "Allow", "Action":
             ["ec2:CreateTags"], "Resource": ["arn:aws:ec2:*:*:network-interface/*"]}]}
            """#),
        .init(
            "AmazonEKSClusterPolicy", path: "/", version: 10, created: 1527455174, updated: 1770919095,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AmazonEKSClusterPolicy", "Effect": "Allow", "Action":
             ["autoscaling:DescribeAutoScalingGroups", "autoscaling:UpdateAutoScalingGroup", "ec2:AttachVolume",
             "ec2:AuthorizeSecurityGroupIngress", "ec2:CreateRoute", "ec2:CreateSecurityGroup", "ec2:CreateTags", "ec2:CreateVolume",
             "ec2:DeleteRoute", "ec2:DeleteSecurityGroup", "ec2:DeleteVolume", "ec2:DescribeInstances", "ec2:DescribeRouteTables",
             "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeVolumes", "ec2:DescribeVolumesModifications",
             "ec2:DescribeVpcs", "ec2:DescribeDhcpOptions", "ec2:DescribeNetworkInterfaces", "ec2:DescribeAvailabilityZones",
             "ec2:DetachVolume", "ec2:ModifyInstanceAttribute", "ec2:ModifyVolume", "ec2:RevokeSecurityGroupIngress",
             "ec2:DescribeAccountAttributes", "ec2:DescribeAddresses", "ec2:DescribeInternetGateways", "ec2:DescribeInstanceTopology",
             "elasticloadbalancing:AddTags", "elasticloadbalancing:ApplySecurityGroupsToLoadBalancer",
             "elasticloadbalancing:AttachLoadBalancerToSubnets", "elasticloadbalancing:ConfigureHealthCheck",
             "elasticloadbalancing:CreateListener", "elasticloadbalancing:CreateLoadBalancer",
             "elasticloadbalancing:CreateLoadBalancerListeners", "elasticloadbalancing:CreateLoadBalancerPolicy",
             "elasticloadbalancing:CreateTargetGroup", "elasticloadbalancing:DeleteListener", "elasticloadbalancing:DeleteLoadBalancer",
             "elasticloadbalancing:DeleteLoadBalancerListeners", "elasticloadbalancing:DeleteTargetGroup",
             "elasticloadbalancing:DeregisterInstancesFromLoadBalancer", "elasticloadbalancing:DeregisterTargets",
             "elasticloadbalancing:DescribeListeners", "elasticloadbalancing:DescribeLoadBalancerAttributes",
             "elasticloadbalancing:DescribeLoadBalancerPolicies", "elasticloadbalancing:DescribeLoadBalancers",
             "elasticloadbalancing:DescribeTargetGroupAttributes", "elasticloadbalancing:DescribeTargetGroups",
             "elasticloadbalancing:DescribeTargetHealth", "elasticloadbalancing:DetachLoadBalancerFromSubnets",
             "elasticloadbalancing:ModifyListener", "elasticloadbalancing:ModifyLoadBalancerAttributes",
             "elasticloadbalancing:ModifyTargetGroup", "elasticloadbalancing:ModifyTargetGroupAttributes",
             "elasticloadbalancing:RegisterInstancesWithLoadBalancer", "elasticloadbalancing:RegisterTargets",
             "elasticloadbalancing:SetLoadBalancerPoliciesForBackendServer", "elasticloadbalancing:SetLoadBalancerPoliciesOfListener",
             "kms:DescribeKey"], "Resource": "*"}, {"Sid": "AmazonEKSClusterPolicySLRCreate", "Effect": "Allow", "Action":
             "iam:CreateServiceLinkedRole", "Resource": "*", "Condition": {"StringEquals": {"iam:AWSServiceName":
             "elasticloadbalancing.amazonaws.com"}}}, {"Sid": "AmazonEKSClusterPolicyENIDelete", "Effect": "Allow", "Action":
             "ec2:DeleteNetworkInterface", "Resource": "*", "Condition": {"StringEquals": {"ec2:ResourceTag/eks:eni:owner":
             "amazon-vpc-cni"}}}]}
            """#),
        .init(
            "AmazonEKSFargatePodExecutionRolePolicy", path: "/", version: 1, created: 1574397269, updated: 1574397269,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ecr:GetAuthorizationToken",
             "ecr:BatchCheckLayerAvailability", "ecr:GetDownloadUrlForLayer", "ecr:BatchGetImage"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonEKSServicePolicy", path: "/", version: 7, created: 1527455301, updated: 1728940360,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ec2:CreateNetworkInterface",
             "ec2:CreateNetworkInterfacePermission", "ec2:DeleteNetworkInterface", "ec2:DescribeInstances",
             "ec2:DescribeNetworkInterfaces", "ec2:DetachNetworkInterface", "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets",
             "ec2:DescribeVpcs", "ec2:ModifyNetworkInterfaceAttribute", "iam:ListAttachedRolePolicies", "eks:UpdateClusterVersion",
             "ec2:GetSecurityGroupsForVpc"], "Resource": "*"}, {"Effect": "Allow", "Action": ["ec2:CreateTags", "ec2:DeleteTags"],
             "Resource": ["arn:aws:ec2:*:*:vpc/*", "arn:aws:ec2:*:*:subnet/*"]}, {"Effect": "Allow", "Action": ["ec2:CreateTags"],
             "Resource": ["arn:aws:ec2:*:*:network-interface/*"], "Condition": {"StringLike": {"aws:RequestTag/Name": "eks-cluster-*"}}},
             {"Effect": "Allow", "Action": "route53:AssociateVPCWithHostedZone", "Resource": "*"}, {"Effect": "Allow", "Action":
             "logs:CreateLogGroup", "Resource": "*"}, {"Effect": "Allow", "Action": ["logs:CreateLogStream", "logs:DescribeLogStreams"],
             "Resource": "arn:aws:logs:*:*:log-group:/aws/eks/*:*"}, {"Effect": "Allow", "Action": "logs:PutLogEvents", "Resource":
             "arn:aws:logs:*:*:log-group:/aws/eks/*:*:*"}, {"Effect": "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/eks.amazonaws.com/AWSServiceRoleForAmazonEKS", "Condition": {"StringLike":
             {"iam:AWSServiceName": "eks.amazonaws.com"}}}]}
            """#),
        .init(
            "AmazonEKSVPCResourceController", path: "/", version: 1, created: 1597193734, updated: 1597193734,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "ec2:CreateNetworkInterfacePermission", "Resource": "*",
             "Condition": {"ForAnyValue:StringEquals": {"ec2:ResourceTag/eks:eni:owner": "eks-vpc-resource-controller"}}}, {"Effect":
             "Allow", "Action": ["ec2:CreateNetworkInterface", "ec2:DetachNetworkInterface", "ec2:ModifyNetworkInterfaceAttribute",
             "ec2:DeleteNetworkInterface", "ec2:AttachNetworkInterface", "ec2:UnassignPrivateIpAddresses",
             "ec2:AssignPrivateIpAddresses"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonEKSWorkerNodeMinimalPolicy", path: "/", version: 1, created: 1727899431, updated: 1727899431,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "WorkerNodePermissions", "Effect": "Allow", "Action":
             ["eks-auth:AssumeRoleForPodIdentity"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonEKSWorkerNodePolicy", path: "/", version: 3, created: 1527455341, updated: 1701043573,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "WorkerNodePermissions", "Effect": "Allow", "Action":
             ["ec2:DescribeInstances", "ec2:DescribeInstanceTypes", "ec2:DescribeRouteTables", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSubnets", "ec2:DescribeVolumes", "ec2:DescribeVolumesModifications", "ec2:DescribeVpcs", "eks:DescribeCluster",
             "eks-auth:AssumeRoleForPodIdentity"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonSSMFullAccess", path: "/", version: 4, created: 1432921187, updated: 1574280536,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["cloudwatch:PutMetricData", "ds:CreateComputer",
             "ds:DescribeDirectories", "ec2:DescribeInstanceStatus", "logs:*", "ssm:*", "ec2messages:*"], "Resource": "*"}, {"Effect":
             "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource":
             "arn:aws:iam::*:role/aws-service-role/ssm.amazonaws.com/AWSServiceRoleForAmazonSSM*", "Condition": {"StringLike":
             {"iam:AWSServiceName": "ssm.amazonaws.com"}}}, {"Effect": "Allow", "Action": ["iam:DeleteServiceLinkedRole",
             "iam:GetServiceLinkedRoleDeletionStatus"], "Resource":
             "arn:aws:iam::*:role/aws-service-role/ssm.amazonaws.com/AWSServiceRoleForAmazonSSM*"}, {"Effect": "Allow", "Action":
             ["ssmmessages:CreateControlChannel", "ssmmessages:CreateDataChannel", "ssmmessages:OpenControlChannel",
             "ssmmessages:OpenDataChannel"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonSSMManagedInstanceCore", path: "/", version: 2, created: 1552670532, updated: 1558630461,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ssm:DescribeAssociation",
             "ssm:GetDeployablePatchSnapshotForInstance", "ssm:GetDocument", "ssm:DescribeDocument", "ssm:GetManifest",
             "ssm:GetParameter", "ssm:GetParameters", "ssm:ListAssociations", "ssm:ListInstanceAssociations", "ssm:PutInventory",
             "ssm:PutComplianceItems", "ssm:PutConfigurePackageResult", "ssm:UpdateAssociationStatus",
             "ssm:UpdateInstanceAssociationStatus", "ssm:UpdateInstanceInformation"], "Resource": "*"}, {"Effect": "Allow", "Action":
             ["ssmmessages:CreateControlChannel", "ssmmessages:CreateDataChannel", "ssmmessages:OpenControlChannel",
             "ssmmessages:OpenDataChannel"], "Resource": "*"}, {"Effect": "Allow", "Action": ["ec2messages:AcknowledgeMessage",
             "ec2messages:DeleteMessage", "ec2messages:FailMessage", "ec2messages:GetEndpoint", "ec2messages:GetMessages",
             "ec2messages:SendReply"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonSSMReadOnlyAccess", path: "/", version: 1, created: 1432921459, updated: 1432921459,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ssm:Describe*", "ssm:Get*", "ssm:List*"], "Resource":
             "*"}]}
            """#),
        .init(
            "AutoScalingFullAccess", path: "/", version: 2, created: 1484249518, updated: 1517954353,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "autoscaling:*", "Resource": "*"}, {"Effect": "Allow",
             "Action": "cloudwatch:PutMetricAlarm", "Resource": "*"}, {"Effect": "Allow", "Action": ["ec2:DescribeAccountAttributes",
             "ec2:DescribeAvailabilityZones", "ec2:DescribeImages", "ec2:DescribeInstanceAttribute", "ec2:DescribeInstances",
             "ec2:DescribeKeyPairs", "ec2:DescribeLaunchTemplateVersions", "ec2:DescribePlacementGroups", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSpotInstanceRequests", "ec2:DescribeSubnets", "ec2:DescribeVpcClassicLink"], "Resource": "*"}, {"Effect":
             "Allow", "Action": ["elasticloadbalancing:DescribeLoadBalancers", "elasticloadbalancing:DescribeTargetGroups"], "Resource":
             "*"}, {"Effect": "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource": "*", "Condition": {"StringEquals":
             {"iam:AWSServiceName": "autoscaling.amazonaws.com"}}}]}
            """#),
        .init(
            "AutoScalingReadOnlyAccess", path: "/", version: 1, created: 1484249975, updated: 1484249975,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "autoscaling:Describe*", "Resource": "*"}]}
            """#),
        .init(
            "AWSAppRunnerServicePolicyForECRAccess", path: "/service-role/", version: 1, created: 1621019841, updated: 1621019841,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ecr:GetDownloadUrlForLayer", "ecr:BatchGetImage",
             "ecr:DescribeImages", "ecr:GetAuthorizationToken", "ecr:BatchCheckLayerAvailability"], "Resource": "*"}]}
            """#),
        .init(
            "AWSBatchFullAccess", path: "/", version: 7, created: 1481052942, updated: 1666627749,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["batch:*", "cloudwatch:GetMetricStatistics",
             "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups", "ec2:DescribeKeyPairs", "ec2:DescribeVpcs", "ec2:DescribeImages",
             "ec2:DescribeLaunchTemplates", "ec2:DescribeLaunchTemplateVersions", "ecs:DescribeClusters", "ecs:Describe*", "ecs:List*",
             "eks:DescribeCluster", "eks:ListClusters", "logs:Describe*", "logs:Get*", "logs:TestMetricFilter", "logs:FilterLogEvents",
             "iam:ListInstanceProfiles", "iam:ListRoles"], "Resource": "*"}, {"Effect": "Allow", "Action": ["iam:PassRole"], "Resource":
             ["arn:aws:iam::*:role/AWSBatchServiceRole", "arn:aws:iam::*:role/service-role/AWSBatchServiceRole",
             "arn:aws:iam::*:role/ecsInstanceRole", "arn:aws:iam::*:instance-profile/ecsInstanceRole",
             "arn:aws:iam::*:role/iaws-ec2-spot-fleet-role", "arn:aws:iam::*:role/aws-ec2-spot-fleet-role",
             "arn:aws:iam::*:role/AWSBatchJobRole*"]}, {"Effect": "Allow", "Action": ["iam:CreateServiceLinkedRole"], "Resource":
             "arn:aws:iam::*:role/*Batch*", "Condition": {"StringEquals": {"iam:AWSServiceName": "batch.amazonaws.com"}}}]}
            """#),
        .init(
            "AWSBatchServiceRole", path: "/service-role/", version: 14, created: 1481052984, updated: 1787696848,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AWSBatchPolicyStatement1", "Effect": "Allow", "Action":
             ["ec2:DescribeAccountAttributes", "ec2:DescribeInstances", "ec2:DescribeInstanceStatus", "ec2:DescribeInstanceAttribute",
             "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups", "ec2:DescribeKeyPairs", "ec2:DescribeImages",
             "ec2:DescribeImageAttribute", "ec2:DescribeSpotInstanceRequests", "ec2:DescribeSpotFleetInstances",
             "ec2:DescribeSpotFleetRequests", "ec2:DescribeSpotPriceHistory", "ec2:DescribeSpotFleetRequestHistory",
             "ec2:DescribeVpcClassicLink", "ec2:DescribeLaunchTemplateVersions", "ec2:CreateLaunchTemplate", "ec2:DeleteLaunchTemplate",
             "ec2:RequestSpotFleet", "ec2:CancelSpotFleetRequests", "ec2:ModifySpotFleetRequest", "ec2:TerminateInstances",
             "ec2:RunInstances", "autoscaling:DescribeAccountLimits", "autoscaling:DescribeAutoScalingGroups",
             "autoscaling:DescribeLaunchConfigurations", "autoscaling:DescribeAutoScalingInstances",
             "autoscaling:DescribeScalingActivities", "autoscaling:CreateLaunchConfiguration", "autoscaling:CreateAutoScalingGroup",
             "autoscaling:UpdateAutoScalingGroup", "autoscaling:SetDesiredCapacity", "autoscaling:DeleteLaunchConfiguration",
             "autoscaling:DeleteAutoScalingGroup", "autoscaling:CreateOrUpdateTags", "autoscaling:SuspendProcesses",
             "autoscaling:PutNotificationConfiguration", "autoscaling:TerminateInstanceInAutoScalingGroup", "ecs:DescribeClusters",
             "ecs:DescribeContainerInstances", "ecs:DescribeTaskDefinition", "ecs:DescribeTasks", "ecs:ListAccountSettings",
             "ecs:ListClusters", "ecs:ListContainerInstances", "ecs:ListTaskDefinitionFamilies", "ecs:ListTaskDefinitions",
             "ecs:ListTasks", "ecs:CreateCluster", "ecs:DeleteCluster", "ecs:RegisterTaskDefinition", "ecs:DeregisterTaskDefinition",
             "ecs:RunTask", "ecs:StartTask", "ecs:StopTask", "ecs:UpdateCluster", "ecs:UpdateContainerAgent",
             "ecs:DeregisterContainerInstance", "logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents",
             "logs:DescribeLogGroups", "iam:GetInstanceProfile", "iam:GetRole"], "Resource": "*"}, {"Sid": "AWSBatchPolicyStatement2",
             "Effect": "Allow", "Action": "ecs:TagResource", "Resource": ["arn:aws:ecs:*:*:task/*_Batch_*"]}, {"Sid":
             "AWSBatchPolicyStatement3", "Effect": "Allow", "Action": "iam:PassRole", "Resource": ["*"], "Condition": {"StringEquals":
             {"iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn", "ecs-tasks.amazonaws.com"]}}}, {"Sid":
             "AWSBatchPolicyStatement4", "Effect": "Allow", "Action": "iam:CreateServiceLinkedRole", "Resource": "*", "Condition":
             {"StringEquals": {"iam:AWSServiceName": ["spot.amazonaws.com", "spotfleet.amazonaws.com", "autoscaling.amazonaws.com",
             "ecs.amazonaws.com"]}}}, {"Sid": "AWSBatchPolicyStatement5", "Effect": "Allow", "Action": ["ec2:CreateTags"], "Resource":
             ["*"], "Condition": {"StringEquals": {"ec2:CreateAction": "RunInstances"}}}]}
            """#),
    ]
}
