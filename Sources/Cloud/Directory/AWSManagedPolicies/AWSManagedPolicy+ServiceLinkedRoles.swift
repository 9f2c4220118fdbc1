extension AWSManagedPolicy {
    /// Policies for roles that belong to services. (AWS Managed Policy Reference; the documents are AWS's own.)
    static let serviceLinkedRoles: [AWSManagedPolicy] = [
        .init(
            "AccessAnalyzerServiceRolePolicy", path: "/aws-service-role/", version: 23, created: 1575306790, updated: 1770919189,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AccessAnalyzerServiceRolePolicy", "Effect": "Allow", "Action":
             ["dynamodb:GetResourcePolicy", "dynamodb:ListStreams", "dynamodb:ListTables", "ec2:DescribeAddresses",
             "ec2:DescribeByoipCidrs", "ec2:DescribeSnapshotAttribute", "ec2:DescribeSnapshots", "ec2:DescribeVpcEndpoints",
             "ec2:DescribeVpcs", "ec2:GetSnapshotBlockPublicAccessState", "ecr:DescribeRepositories", "ecr:GetAccountSetting",
             "ecr:GetRegistryPolicy", "ecr:GetRepositoryPolicy", "elasticfilesystem:DescribeFileSystemPolicy",
             "elasticfilesystem:DescribeFileSystems", "iam:GetRole", "iam:ListEntitiesForPolicy", "iam:ListRoles", "iam:ListUsers",
             "iam:ListRoleTags", "iam:ListUserTags", "iam:GetAccountAuthorizationDetails", "iam:GetUser", "iam:GetGroup",
             "iam:GenerateServiceLastAccessedDetails", "iam:GetServiceLastAccessedDetails", "iam:ListAccessKeys", "iam:GetLoginProfile",
             "iam:GetAccessKeyLastUsed", "iam:ListRolePolicies", "iam:GetRolePolicy", "iam:ListAttachedRolePolicies",
             "iam:ListUserPolicies", "iam:GetUserPolicy", "iam:ListAttachedUserPolicies", "iam:GetPolicy", "iam:GetPolicyVersion",
             "iam:ListGroupsForUser", "kms:DescribeKey", "kms:GetKeyPolicy", "kms:ListGrants", "kms:ListKeyPolicies", "kms:ListKeys",
             "lambda:GetFunctionUrlConfig", "lambda:GetLayerVersionPolicy", "lambda:GetPolicy", "lambda:ListAliases",
             "lambda:ListFunctions", "lambda:ListLayers", "lambda:ListLayerVersions", "lambda:ListVersionsByFunction",
             "organizations:DescribeAccount", "organizations:DescribeOrganization", "organizations:DescribeOrganizationalUnit",
             "organizations:ListAccounts", "organizations:ListAccountsForParent", "organizations:ListAWSServiceAccessForOrganization",
             "organizations:ListChildren", "organizations:ListDelegatedAdministrators", "organizations:ListOrganizationalUnitsForParent",
             "organizations:ListParents", "organizations:ListRoots", "rds:DescribeDBClusterSnapshotAttributes",
             "rds:DescribeDBClusterSnapshots", "rds:DescribeDBSnapshotAttributes", "rds:DescribeDBSnapshots",
             "s3:DescribeMultiRegionAccessPointOperation", "s3:GetAccessPoint", "s3:GetAccessPointPolicy",
             "s3:GetAccessPointPolicyStatus", "s3:GetAccountPublicAccessBlock", "s3:GetBucketAcl", "s3:GetBucketLocation",
             "s3:GetBucketPolicyStatus", "s3:GetBucketPolicy", "s3:GetBucketPublicAccessBlock", "s3:GetMultiRegionAccessPoint",
             "s3:GetMultiRegionAccessPointPolicy", "s3:GetMultiRegionAccessPointPolicyStatus", "s3:ListAccessPoints",
             "s3:ListAllMyBuckets", "s3:ListMultiRegionAccessPoints", "s3express:GetAccessPoint", "s3express:GetAccessPointPolicy",
             "s3express:GetBucketPolicy", "s3express:ListAllMyDirectoryBuckets", "s3express:ListAccessPointsForDirectoryBuckets",
             "sns:GetTopicAttributes", "sns:ListTopics", "secretsmanager:DescribeSecret", "secretsmanager:GetResourcePolicy",
             "secretsmanager:ListSecrets", "sqs:GetQueueAttributes", "sqs:ListQueues"], "Resource": "*"}]}
            """#),
        .init(
            "AmazonECSServiceRolePolicy", path: "/aws-service-role/", version: 24, created: 1507943938, updated: 1776899529,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "ECSTaskManagement", "Effect": "Allow", "Action":
             ["ec2:AttachNetworkInterface", "ec2:AssociateTrunkInterface", "ec2:CreateNetworkInterface",
             "ec2:CreateNetworkInterfacePermission", "ec2:DeleteNetworkInterface", "ec2:DeleteNetworkInterfacePermission",
             "ec2:Describe*", "ec2:DetachNetworkInterface", "ec2:DisassociateTrunkInterface",
             "elasticloadbalancing:DeregisterInstancesFromLoadBalancer", "elasticloadbalancing:DeregisterTargets",
             "elasticloadbalancing:Describe*", "elasticloadbalancing:RegisterInstancesWithLoadBalancer",
             "elasticloadbalancing:RegisterTargets", "route53:ChangeResourceRecordSets", "route53:CreateHealthCheck",
             "route53:DeleteHealthCheck", "route53:Get*", "route53:List*", "route53:UpdateHealthCheck",
             "servicediscovery:DeregisterInstance", "servicediscovery:Get*", "servicediscovery:List*",
             "servicediscovery:RegisterInstance", "servicediscovery:UpdateInstanceCustomHealthStatus"], "Resource": "*"}, {"Sid":
             "AutoScaling", "Effect": "Allow", "Action": ["autoscaling:Describe*"], "Resource": "*"}, {"Sid": "AutoScalingManagement",
             "Effect": "Allow", "Action": ["autoscaling:DeletePolicy", "autoscaling:PutScalingPolicy",
             "autoscaling:SetInstanceProtection", "autoscaling:UpdateAutoScalingGroup", "autoscaling:PutLifecycleHook",
             "autoscaling:DeleteLifecycleHook", "autoscaling:CompleteLifecycleAction", "autoscaling:RecordLifecycleActionHeartbeat",
             "autoscaling:TerminateInstanceInAutoScalingGroup"], "Resource": "*", "Condition": {"Null":
             {"autoscaling:ResourceTag/AmazonECSManaged": "false"}}}, {"Sid": "AutoScalingPlanManagement", "Effect": "Allow", "Action":
             ["autoscaling-plans:CreateScalingPlan", "autoscaling-plans:DeleteScalingPlan", "autoscaling-plans:DescribeScalingPlans",
             "autoscaling-plans:DescribeScalingPlanResources"], "Resource": "*"}, {"Sid": "EventBridge", "Effect": "Allow", "Action":
             ["events:DescribeRule", "events:ListTargetsByRule"], "Resource": "arn:aws:events:*:*:rule/ecs-managed-*"}, {"Sid":
             "EventBridgeRuleManagement", "Effect": "Allow", "Action": ["events:PutRule", "events:PutTargets"], "Resource": "*",
             "Condition": {"StringEquals": {"events:ManagedBy": "ecs.amazonaws.com"}}}, {"Sid": "CWAlarmManagement", "Effect": "Allow",
             "Action": ["cloudwatch:DeleteAlarms", "cloudwatch:DescribeAlarms", "cloudwatch:PutMetricAlarm"], "Resource":
             "arn:aws:cloudwatch:*:*:alarm:*"}, {"Sid": "ECSTagging", "Effect": "Allow", "Action": ["ec2:CreateTags"], "Resource":
             "arn:aws:ec2:*:*:network-interface/*"}, {"Sid": "CWLogGroupManagement", "Effect": "Allow", "Action": ["logs:CreateLogGroup",
             "logs:DescribeLogGroups", "logs:PutRetentionPolicy"], "Resource": "arn:aws:logs:*:*:log-group:/aws/ecs/*"}, {"Sid":
             "CWLogStreamManagement", "Effect": "Allow", "Action": ["logs:CreateLogStream", "logs:DescribeLogStreams",
             "logs:PutLogEvents"], "Resource": "arn:aws:logs:*:*:log-group:/aws/ecs/*:log-stream:*"}, {"Sid":
             "ExecuteCommandSessionManagement", "Effect": "Allow", "Action": ["ssm:DescribeSessions"], "Resource": "*"}, {"Sid":
             "ExecuteCommand", "Effect": "Allow", "Action": ["ssm:StartSession"], "Resource": ["arn:aws:ecs:*:*:task/*",
             "arn:aws:ssm:*:*:document/AmazonECS-ExecuteInteractiveCommand"]}, {"Sid": "OpenDataChannel", "Effect": "Allow", "Action":
             ["ssmmessages:OpenDataChannel"], "Resource": ["arn:aws:ssm:*:*:session/*"], "Condition": {"StringEquals":
             {"aws:PrincipalAccount": "${aws:ResourceAccount}"}}}, {"Sid": "CloudMapResourceCreation", "Effect": "Allow", "Action":
             ["servicediscovery:CreateHttpNamespace", "servicediscovery:CreateService"], "Resource": "*", "Condition":
             {"ForAllValues:StringEquals": {"aws:TagKeys": ["AmazonECSManaged"]}}}, {"Sid": "CloudMapResourceTagging", "Effect": "Allow",
             "Action": "servicediscovery:TagResource", "Resource": "*", "Condition": {"StringLike": {"aws:RequestTag/AmazonECSManaged":
             "*"}}}, {"Sid": "CloudMapResourceDeletion", "Effect": "Allow", "Action": ["servicediscovery:DeleteService"], "Resource": "*",
             "Condition": {"Null": {"aws:ResourceTag/AmazonECSManaged": "false"}}}, {"Sid": "CloudMapResourceDiscovery", "Effect":
             "Allow", "Action": ["servicediscovery:DiscoverInstances", "servicediscovery:DiscoverInstancesRevision"], "Resource": "*"},
             {"Sid": "CloudMapResourceAttributeManagement", "Effect": "Allow", "Action": ["servicediscovery:UpdateServiceAttributes"],
             "Resource": "*", "Condition": {"Null": {"aws:ResourceTag/AmazonECSManaged": "false"}}}, {"Sid":
             "ReadOnlyPermissionsForInstanceEventWindows", "Effect": "Allow", "Action": ["ec2:DescribeInstanceEventWindows"], "Resource":
             "*"}]}
            """#),
        .init(
            "AmazonEKSServiceRolePolicy", path: "/aws-service-role/", version: 27, created: 1582315847, updated: 1787332629,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ec2:CreateNetworkInterface",
             "ec2:DeleteNetworkInterface", "ec2:DetachNetworkInterface", "ec2:ModifyNetworkInterfaceAttribute", "ec2:CreateSecurityGroup",
             "ec2:CreateNetworkInterfacePermission"], "Resource": "*"}, {"Effect": "Allow", "Action": ["ec2:DescribeAccountAttributes",
             "ec2:DescribeAddresses", "ec2:DescribeAvailabilityZones", "ec2:DescribeCapacityReservations", "ec2:DescribeCoipPools",
             "ec2:DescribeInstances", "ec2:DescribeInstanceTypeOfferings", "ec2:DescribeInstanceTypes", "ec2:DescribeInstanceStatus",
             "ec2:DescribeInternetGateways", "ec2:DescribeLaunchTemplates", "ec2:DescribeNetworkInterfaces",
             "ec2:DescribePlacementGroups", "ec2:DescribeSecurityGroups", "ec2:DescribeSnapshots", "ec2:DescribeSpotPriceHistory",
             "ec2:DescribeSubnets", "ec2:DescribeTags", "ec2:DescribeVolumes", "ec2:DescribeVolumesModifications",
             "ec2:DescribeVpcPeeringConnections", "ec2:DescribeVpcs", "ec2:DescribeRouteTables", "ec2:DescribeNetworkAcls",
             "ec2:GetCoipPoolUsage", "ec2:GetSecurityGroupsForVpc", "eks:DescribeCluster", "ec2:DescribeIpamPools",
             "ec2:DescribeTrunkInterfaceAssociations", "elasticloadbalancing:DescribeListenerAttributes",
             "elasticloadbalancing:DescribeListenerCertificates", "elasticloadbalancing:DescribeListeners",
             "elasticloadbalancing:DescribeLoadBalancerAttributes", "elasticloadbalancing:DescribeLoadBalancers",
             "elasticloadbalancing:DescribeRules", "elasticloadbalancing:DescribeSSLPolicies", "elasticloadbalancing:DescribeTags",
             "elasticloadbalancing:DescribeTargetGroupAttributes", "elasticloadbalancing:DescribeTargetGroups",
             "elasticloadbalancing:DescribeTargetHealth", "elasticloadbalancing:DeregisterTargets",
             "elasticloadbalancing:DescribeTrustStores", "elasticloadbalancing:DescribeCapacityReservation",
             "iam:ListAttachedRolePolicies", "pricing:GetProducts", "shield:GetSubscriptionState", "shield:DescribeProtection",
             "tag:GetResources"], "Resource": "*"}, {"Effect": "Allow", "Action": ["ec2:DeleteSecurityGroup",
             "ec2:RevokeSecurityGroupIngress", "ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupEgress",
             "ec2:AuthorizeSecurityGroupEgress"], "Resource": "arn:aws:ec2:*:*:security-group/*", "Condition": {"StringLike":
             {"ec2:ResourceTag/Name": "eks-cluster-sg*"}}}, {"Effect": "Allow", "Action": ["ec2:CreateTags", "ec2:DeleteTags"],
             "Resource": ["arn:aws:ec2:*:*:vpc/*", "arn:aws:ec2:*:*:subnet/*", "arn:aws:ec2:*:*:network-interface/*",
             "arn:aws:ec2:*:*:security-group/*"], "Condition": {"ForAnyValue:StringLike": {"aws:TagKeys": ["kubernetes.io/cluster/*"]}}},
             {"Effect": "Allow", "Action": ["ec2:CreateTags", "ec2:DeleteTags"], "Resource": ["arn:aws:ec2:*:*:security-group/*",
             "arn:aws:ec2:*:*:network-interface/*"], "Condition": {"StringLike": {"aws:RequestTag/Name": "eks-cluster-*"}}}, {"Effect":
             "Allow", "Action": "route53:AssociateVPCWithHostedZone", "Resource": "arn:aws:route53:::hostedzone/*"}, {"Effect": "Allow",
             "Action": "logs:CreateLogGroup", "Resource": "arn:aws:logs:*:*:log-group:/aws/eks/*"}, {"Effect": "Allow", "Action":
             ["logs:CreateLogStream", "logs:DescribeLogStreams"], "Resource": "arn:aws:logs:*:*:log-group:/aws/eks/*:*"}, {"Effect":
             "Allow", "Action": "logs:PutLogEvents", "Resource": "arn:aws:logs:*:*:log-group:/aws/eks/*:*:*"}, {"Effect": "Allow",
             "Action": "cloudwatch:PutMetricData", "Resource": "*", "Condition": {"StringLike": {"cloudwatch:namespace": "AWS/EKS"}}},
             {"Effect": "Allow", "Action": ["eks:CreateAccessEntry", "eks:DeleteAccessEntry"], "Resource": "*", "Condition": {"ArnLike":
             {"eks:principalArn": "arn:aws:iam::*:role/aws-service-role/eks.amazonaws.com/AWSServiceRoleForAmazonEKS"}, "StringEquals":
             {"eks:accessEntryType": "STANDARD"}}}, {"Effect": "Allow", "Action": ["eks:ListAssociatedAccessPolicies"], "Resource":
             "arn:aws:eks:*:*:access-entry/*/role/${aws:PrincipalAccount}/AWSServiceRoleForAmazonEKS/*"}, {"Effect": "Allow", "Action":
             ["eks:AssociateAccessPolicy", "eks:DisassociateAccessPolicy"], "Resource":
             "arn:aws:eks:*:*:access-entry/*/role/${aws:PrincipalAccount}/AWSServiceRoleForAmazonEKS/*", "Condition": {"StringEquals":
             {"eks:policyArn": ["arn:aws:eks::aws:cluster-access-policy/AmazonEKSComputePolicy",
             "arn:aws:eks::aws:cluster-access-policy/AmazonEKSComputeClusterPolicy",
             "arn:aws:eks::aws:cluster-access-policy/AmazonEKSNetworkingPolicy",
             "arn:aws:eks::aws:cluster-access-policy/AmazonEKSNetworkingClusterPolicy",
             "arn:aws:eks::aws:cluster-access-policy/AmazonEKSLoadBalancingPolicy",
             "arn:aws:eks::aws:cluster-access-policy/AmazonEKSLoadBalancingClusterPolicy",
             "arn:aws:eks::aws:cluster-access-policy/AmazonEKSBlockStoragePolicy",
             "arn:aws:eks::aws:cluster-access-policy/AmazonEKSBlockStorageClusterPolicy",
             "arn:aws:eks::aws:cluster-access-policy/AmazonEKSHybridPolicy",
             "arn:aws:eks::aws:cluster-access-policy/AmazonEKSEventPolicy",
             "arn:aws:eks::aws:cluster-access-policy/AmazonEKSPodIdentityPolicy"]}}}, {"Effect": "Allow", "Action":
             ["ec2:DeleteNetworkInterface"], "Resource": "*", "Condition": {"StringLike": {"aws:ResourceTag/eks:eks-cluster-name": "*"}}},
             {"Effect": "Allow", "Action": "eks:DescribeAccessEntry", "Resource": "*", "Condition": {"StringEquals":
             {"eks:accessEntryType": "EC2"}}}, {"Effect": "Allow", "Action": "events:PutRule", "Resource": "arn:aws:events:*:*:rule/EKS*",
             "Condition": {"ForAllValues:StringEquals": {"events:source": ["aws.ec2", "aws.health"]}, "StringEquals": {"events:ManagedBy":
             ["eks.amazonaws.com"]}}}, {"Effect": "Allow", "Action": "events:PutTargets", "Resource": "arn:aws:events:*:*:rule/EKS*"},
             {"Effect": "Allow", "Action": ["iam:CreateInstanceProfile", "iam:DeleteInstanceProfile", "iam:RemoveRoleFromInstanceProfile",
             "iam:ListInstanceProfiles"], "Resource": "arn:aws:iam::*:instance-profile/eks*"}, {"Effect": "Allow", "Action":
             "iam:GetInstanceProfile", "Resource": "arn:aws:iam::*:instance-profile/*"}, {"Effect": "Allow", "Action":
             ["ec2:DeleteLaunchTemplate", "ec2:TerminateInstances"], "Resource": ["arn:aws:ec2:*:*:launch-template/*",
             "arn:aws:ec2:*:*:instance/*"], "Condition": {"StringLike": {"aws:ResourceTag/eks:eks-cluster-name": "*"}}}, {"Effect":
             "Allow", "Action": ["ec2:DeleteLaunchTemplate", "ec2:TerminateInstances"], "Resource": "*", "Condition": {"StringEquals":
             {"ec2:ManagedResourceOperator": ["eks.amazonaws.com"]}}}, {"Effect": "Allow", "Action": ["ec2:DeleteVolume"], "Resource":
             "*", "Condition": {"StringLike": {"aws:ResourceTag/eks:eks-cluster-name": "*"}}}, {"Effect": "Allow", "Action":
             ["ec2:DeleteSnapshot"], "Resource": "*", "Condition": {"StringLike": {"aws:ResourceTag/eks:eks-cluster-name": "*"}}},
             {"Effect": "Allow", "Action": ["elasticloadbalancing:DeleteListener", "elasticloadbalancing:DeleteRule",
             "elasticloadbalancing:DeleteLoadBalancer", "elasticloadbalancing:DeleteTargetGroup", "ec2:DeleteSecurityGroup"], "Resource":
             "*", "Condition": {"StringLike": {"aws:ResourceTag/eks:eks-cluster-name": "*"}}}]}
            """#),
        .init(
            "AmazonRDSServiceRolePolicy", path: "/aws-service-role/", version: 14, created: 1515435466, updated: 1719873725,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "CrossRegionCommunication", "Effect": "Allow", "Action":
             ["rds:CrossRegionCommunication"], "Resource": "*"}, {"Sid": "Ec2", "Effect": "Allow", "Action": ["ec2:AllocateAddress",
             "ec2:AssociateAddress", "ec2:AuthorizeSecurityGroupIngress", "ec2:CreateCoipPoolPermission",
             "ec2:CreateLocalGatewayRouteTablePermission", "ec2:CreateNetworkInterface", "ec2:CreateSecurityGroup",
             "ec2:DeleteCoipPoolPermission", "ec2:DeleteLocalGatewayRouteTablePermission", "ec2:DeleteNetworkInterface",
             "ec2:DeleteSecurityGroup", "ec2:DescribeAddresses", "ec2:DescribeAvailabilityZones", "ec2:DescribeCoipPools",
             "ec2:DescribeInternetGateways", "ec2:DescribeLocalGatewayRouteTablePermissions", "ec2:DescribeLocalGatewayRouteTables",
             "ec2:DescribeLocalGatewayRouteTableVpcAssociations", "ec2:DescribeLocalGateways", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSubnets", "ec2:DescribeVpcAttribute", "ec2:DescribeVpcs", "ec2:DisassociateAddress",
             "ec2:ModifyNetworkInterfaceAttribute", "ec2:ModifyVpcEndpoint", "ec2:ReleaseAddress", "ec2:RevokeSecurityGroupIngress",
             "ec2:CreateVpcEndpoint", "ec2:DescribeVpcEndpoints", "ec2:DeleteVpcEndpoints", "ec2:AssignPrivateIpAddresses",
             "ec2:UnassignPrivateIpAddresses"], "Resource": "*"}, {"Sid": "CloudWatchLogs", "Effect": "Allow", "Action":
             ["logs:CreateLogGroup"], "Resource": ["arn:aws:logs:*:*:log-group:/aws/rds/*", "arn:aws:logs:*:*:log-group:/aws/docdb/*",
             "arn:aws:logs:*:*:log-group:/aws/neptune/*"]}, {"Sid": "CloudWatchStreams", "Effect": "Allow", "Action":
             ["logs:CreateLogStream", "logs:PutLogEvents", "logs:DescribeLogStreams"], "Resource":
             ["arn:aws:logs:*:*:log-group:/aws/rds/*:log-stream:*", "arn:aws:logs:*:*:log-group:/aws/docdb/*:log-stream:*",
             "arn:aws:logs:*:*:log-group:/aws/neptune/*:log-stream:*"]}, {"Sid": "Kinesis", "Effect": "Allow", "Action":
             ["kinesis:CreateStream", "kinesis:PutRecord", "kinesis:PutRecords", "kinesis:DescribeStream", "kinesis:SplitShard",
             "kinesis:MergeShards", "kinesis:DeleteStream", "kinesis:UpdateShardCount"], "Resource":
             ["arn:aws:kinesis:*:*:stream/aws-rds-das-*"]}, {"Sid": "CloudWatch", "Effect": "Allow", "Action":
             ["cloudwatch:PutMetricData"], "Resource": "*", "Condition": {"StringEquals": {"cloudwatch:namespace": ["AWS/DocDB",
             "AWS/Neptune", "AWS/RDS", "AWS/Usage"]}}}, {"Sid": "SecretsManagerPassword", "Effect": "Allow", "Action":
             ["secretsmanager:GetRandomPassword"], "Resource": "*"}, {"Sid": "SecretsManagerSecret", "Effect": "Allow", "Action":
             ["secretsmanager:DeleteSecret", "secretsmanager:DescribeSecret", "secretsmanager:PutSecretValue",
             "secretsmanager:RotateSecret", "secretsmanager:UpdateSecret", "secretsmanager:UpdateSecretVersionStage",
             "secretsmanager:ListSecretVersionIds"], "Resource": ["arn:aws:secretsmanager:*:*:secret:rds!*"], "Condition": {"StringLike":
             {"secretsmanager:ResourceTag/aws:secretsmanager:owningService": "rds"}}}, {"Sid": "SecretsManagerTags", "Effect": "Allow",
             "Action": "secretsmanager:TagResource", "Resource": "arn:aws:secretsmanager:*:*:secret:rds!*", "Condition":
             {"ForAllValues:StringEquals": {"aws:TagKeys": ["aws:rds:primaryDBInstanceArn", "aws:rds:primaryDBClusterArn"]}, "StringLike":
             {"secretsmanager:ResourceTag/aws:secretsmanager:owningService": "rds"}}}]}
            """#),
        .init(
            "AutoScalingServiceRolePolicy", path: "/aws-service-role/", version: 10, created: 1515453055, updated: 1762971546,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "EC2InstanceManagement", "Effect": "Allow", "Action":
             ["ec2:AttachClassicLinkVpc", "ec2:CancelSpotInstanceRequests", "ec2:CreateReplaceRootVolumeTask", "ec2:CreateFleet",
             "ec2:CreateTags", "ec2:DeleteTags", "ec2:Describe*", "ec2:DetachClassicLinkVpc",
             "ec2:GetInstanceTypesFromInstanceRequirements", "ec2:GetSecurityGroupsForVpc", "ec2:ModifyInstanceAttribute",
             "ec2:RequestSpotInstances", "ec2:RunInstances", "ec2:StartInstances", "ec2:StopInstances", "ec2:TerminateInstances"],
             "Resource": "*"}, {"Sid": "EC2InstanceProfileManagement", "Effect": "Allow", "Action": ["iam:PassRole"], "Resource": "*",
             "Condition": {"StringLike": {"iam:PassedToService": "ec2.amazonaws.com*"}}}, {"Sid": "EC2SpotManagement", "Effect": "Allow",
             "Action": ["iam:CreateServiceLinkedRole"], "Resource": "*", "Condition": {"StringEquals": {"iam:AWSServiceName":
             "spot.amazonaws.com"}}}, {"Sid": "ELBManagement", "Effect": "Allow", "Action": ["elasticloadbalancing:Register*",
             "elasticloadbalancing:Deregister*", "elasticloadbalancing:Describe*"], "Resource": "*"}, {"Sid": "CWManagement", "Effect":
             "Allow", "Action": ["cloudwatch:DeleteAlarms", "cloudwatch:DescribeAlarms", "cloudwatch:GetMetricData",
             "cloudwatch:PutMetricAlarm"], "Resource": "*"}, {"Sid": "SNSManagement", "Effect": "Allow", "Action": ["sns:Publish"],
             "Resource": "*"}, {"Sid": "EventBridgeRuleManagement", "Effect": "Allow", "Action": ["events:PutRule", "events:PutTargets",
             "events:RemoveTargets", "events:DeleteRule"], "Resource": "*", "Condition": {"StringEquals": {"events:ManagedBy":
             "autoscaling.amazonaws.com"}}}, {"Sid": "SystemsManagerParameterManagement", "Effect": "Allow", "Action":
             ["ssm:GetParameters"], "Resource": "*"}, {"Sid": "VpcLatticeManagement", "Effect": "Allow", "Action":
             ["vpc-lattice:DeregisterTargets", "vpc-lattice:GetTargetGroup", "vpc-lattice:ListTargets", "vpc-lattice:ListTargetGroups",
             "vpc-lattice:RegisterTargets"], "Resource": "*"}, {"Sid": "ResourceGroupsManagement", "Effect": "Allow", "Action":
             ["resource-groups:ListGroupResources"], "Resource": "arn:*:resource-groups:*:*:group/*"}]}
            """#),
        .init(
            "AWSEC2SpotServiceRolePolicy", path: "/aws-service-role/", version: 4, created: 1505760714, updated: 1544573631,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ec2:DescribeInstances", "ec2:StartInstances",
             "ec2:StopInstances", "ec2:RunInstances"], "Resource": ["*"]}, {"Effect": "Deny", "Action": ["ec2:RunInstances"], "Resource":
             ["arn:aws:ec2:*:*:instance/*"], "Condition": {"StringNotEquals": {"ec2:InstanceMarketType": "spot"}}}, {"Effect": "Allow",
             "Action": ["iam:PassRole"], "Resource": ["*"], "Condition": {"StringEquals": {"iam:PassedToService": ["ec2.amazonaws.com",
             "ec2.amazonaws.com.cn"]}}}, {"Effect": "Allow", "Action": ["ec2:CreateTags"], "Resource": "*", "Condition": {"StringEquals":
             {"ec2:CreateAction": "RunInstances"}}}]}
            """#),
        .init(
            "AWSElasticLoadBalancingServiceRolePolicy", path: "/aws-service-role/", version: 14, created: 1505859544, updated: 1770919088,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": ["ec2:DescribeAddresses", "ec2:DescribeCoipPools",
             "ec2:DescribeInstances", "ec2:DescribeNetworkInterfaces", "ec2:DescribeSubnets", "ec2:DescribeSecurityGroups",
             "ec2:DescribeVpcs", "ec2:DescribeInternetGateways", "ec2:DescribeAccountAttributes", "ec2:DescribeClassicLinkInstances",
             "ec2:DescribeVpcClassicLink", "ec2:CreateSecurityGroup", "ec2:CreateNetworkInterface", "ec2:DeleteNetworkInterface",
             "ec2:GetCoipPoolUsage", "ec2:GetSecurityGroupsForVpc", "ec2:ModifyNetworkInterfaceAttribute", "ec2:AllocateAddress",
             "ec2:AuthorizeSecurityGroupIngress", "ec2:AssociateAddress", "ec2:DisassociateAddress", "ec2:AttachNetworkInterface",
             "ec2:DetachNetworkInterface", "ec2:AssignPrivateIpAddresses", "ec2:AssignIpv6Addresses", "ec2:ReleaseAddress",
             "ec2:UnassignIpv6Addresses", "ec2:DescribeVpcPeeringConnections", "ec2:DescribeAvailabilityZones",
             "ec2:AllocateIpamPoolCidr", "logs:CreateLogDelivery", "logs:GetLogDelivery", "logs:UpdateLogDelivery",
             "logs:DeleteLogDelivery", "logs:ListLogDeliveries", "outposts:GetOutpostInstanceTypes"], "Resource": "*"}]}
            """#),
        .init(
            "AWSOrganizationsServiceTrustPolicy", path: "/aws-service-role/", version: 3, created: 1507676647, updated: 1772737929,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "AllowDeletionOfServiceLinkedRoleForOrganizations", "Effect": "Allow",
             "Action": ["iam:DeleteRole"], "Resource": ["arn:aws:iam::*:role/aws-service-role/organizations.amazonaws.com/*"]}, {"Sid":
             "AllowCreationOfServiceLinkedRoles", "Effect": "Allow", "Action": ["iam:CreateServiceLinkedRole"], "Resource": "*"}, {"Sid":
             "ListRolesSLR", "Effect": "Allow", "Action": "iam:ListRoles", "Resource": "arn:aws:iam::*:role/aws-service-role/*"}]}
            """#),
        .init(
            "AWSServiceRoleForAmazonEKSNodegroup", path: "/aws-service-role/", version: 11, created: 1573090466, updated: 1771353727,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "SharedSecurityGroupRelatedPermissions", "Effect": "Allow", "Action":
             ["ec2:RevokeSecurityGroupIngress", "ec2:AuthorizeSecurityGroupEgress", "ec2:AuthorizeSecurityGroupIngress",
             "ec2:DescribeInstances", "ec2:RevokeSecurityGroupEgress", "ec2:DeleteSecurityGroup"], "Resource": "*", "Condition":
             {"StringLike": {"ec2:ResourceTag/eks": "*"}}}, {"Sid": "EKSCreatedSecurityGroupRelatedPermissions", "Effect": "Allow",
             "Action": ["ec2:RevokeSecurityGroupIngress", "ec2:AuthorizeSecurityGroupEgress", "ec2:AuthorizeSecurityGroupIngress",
             "ec2:DescribeInstances", "ec2:RevokeSecurityGroupEgress", "ec2:DeleteSecurityGroup"], "Resource": "*", "Condition":
             {"StringLike": {"ec2:ResourceTag/eks:nodegroup-name": "*"}}}, {"Sid": "LaunchTemplateRelatedPermissions", "Effect": "Allow",
             "Action": ["ec2:DeleteLaunchTemplate", "ec2:CreateLaunchTemplateVersion"], "Resource": "*", "Condition": {"StringLike":
             {"ec2:ResourceTag/eks:nodegroup-name": "*"}}}, {"Sid": "AutoscalingRelatedPermissions", "Effect": "Allow", "Action":
             ["autoscaling:UpdateAutoScalingGroup", "autoscaling:DeleteAutoScalingGroup",
             "autoscaling:TerminateInstanceInAutoScalingGroup", "autoscaling:CompleteLifecycleAction", "autoscaling:PutLifecycleHook",
             "autoscaling:PutNotificationConfiguration", "autoscaling:EnableMetricsCollection",
             "autoscaling:PutScheduledUpdateGroupAction", "autoscaling:ResumeProcesses", "autoscaling:SuspendProcesses",
             "autoscaling:PutWarmPool", "autoscaling:DeleteWarmPool"], "Resource":
             "arn:aws:autoscaling:*:*:*:autoScalingGroupName/eks-*"}, {"Sid": "AllowAutoscalingToCreateSLR", "Effect": "Allow", "Action":
             "iam:CreateServiceLinkedRole", "Resource": "*", "Condition": {"StringEquals": {"iam:AWSServiceName":
             "autoscaling.amazonaws.com"}}}, {"Sid": "AllowASGCreationByEKS", "Effect": "Allow", "Action":
             ["autoscaling:CreateOrUpdateTags", "autoscaling:CreateAutoScalingGroup"], "Resource": "*", "Condition":
             {"ForAnyValue:StringEquals": {"aws:TagKeys": ["eks", "eks:cluster-name", "eks:nodegroup-name"]}}}, {"Sid":
             "AllowPassRoleToAutoscaling", "Effect": "Allow", "Action": "iam:PassRole", "Resource": "*", "Condition": {"StringEquals":
             {"iam:PassedToService": "autoscaling.amazonaws.com"}}}, {"Sid": "AllowPassRoleToEC2", "Effect": "Allow", "Action":
             "iam:PassRole", "Resource": "*", "Condition": {"StringEqualsIfExists": {"iam:PassedToService": ["ec2.amazonaws.com"]}}},
             {"Sid": "PermissionsToManageResourcesForNodegroups", "Effect": "Allow", "Action": ["iam:GetRole", "ec2:CreateLaunchTemplate",
             "ec2:DescribeInstances", "iam:GetInstanceProfile", "ec2:DescribeLaunchTemplates", "autoscaling:DescribeAutoScalingGroups",
             "ec2:CreateSecurityGroup", "ec2:DescribeLaunchTemplateVersions", "ec2:RunInstances", "ec2:DescribeSecurityGroups",
             "ec2:GetConsoleOutput", "ec2:DescribeRouteTables", "ec2:DescribeSubnets", "ec2:DescribeCapacityReservations",
             "autoscaling:DescribeWarmPool"], "Resource": "*"}, {"Sid": "PermissionsToCreateAndManageInstanceProfiles", "Effect": "Allow",
             "Action": ["iam:CreateInstanceProfile", "iam:DeleteInstanceProfile", "iam:RemoveRoleFromInstanceProfile",
             "iam:AddRoleToInstanceProfile"], "Resource": "arn:aws:iam::*:instance-profile/eks-*"}, {"Sid":
             "PermissionsToDeleteEKSAndKubernetesTags", "Effect": "Allow", "Action": ["ec2:DeleteTags"], "Resource": "*", "Condition":
             {"ForAnyValue:StringLike": {"aws:TagKeys": ["eks", "eks:cluster-name", "eks:nodegroup-name", "kubernetes.io/cluster/*"]}}},
             {"Sid": "PermissionsForManagedNodegroupsAutoRepair", "Effect": "Allow", "Action": ["ec2:RebootInstances"], "Resource": "*",
             "Condition": {"StringLike": {"ec2:ResourceTag/eks:nodegroup-name": "*"}}}, {"Sid": "PermissionsToCreateEKSAndKubernetesTags",
             "Effect": "Allow", "Action": ["ec2:CreateTags"], "Resource": ["arn:*:ec2:*:*:security-group/*",
             "arn:*:ec2:*:*:launch-template/*"], "Condition": {"ForAnyValue:StringLike": {"aws:TagKeys": ["eks", "eks:cluster-name",
             "eks:nodegroup-name", "kubernetes.io/cluster/*"]}}}, {"Sid": "AllowTaggingEC2ResourcesOnlyDuringInstanceCreation", "Effect":
             "Allow", "Action": ["ec2:CreateTags"], "Resource": ["arn:*:ec2:*:*:instance/*", "arn:*:ec2:*:*:volume/*",
             "arn:*:ec2:*:*:network-interface/*"], "Condition": {"ForAnyValue:StringLike": {"aws:TagKeys": ["eks", "eks:cluster-name",
             "eks:nodegroup-name", "kubernetes.io/cluster/*"]}, "StringEquals": {"ec2:CreateAction": ["RunInstances"]}}}]}
            """#),
        .init(
            "AWSTrustedAdvisorServiceRolePolicy", path: "/aws-service-role/", version: 15, created: 1519334665, updated: 1778794932,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "TrustedAdvisorServiceRolePermissions", "Effect": "Allow", "Action":
             ["access-analyzer:ListAnalyzers", "autoscaling:DescribeAccountLimits", "autoscaling:DescribeAutoScalingGroups",
             "autoscaling:DescribeLaunchConfigurations", "ce:GetReservationPurchaseRecommendation",
             "ce:GetSavingsPlansPurchaseRecommendation", "cloudformation:DescribeAccountLimits", "cloudformation:DescribeStacks",
             "cloudformation:ListStacks", "cloudfront:ListDistributions", "cloudtrail:DescribeTrails", "cloudtrail:GetTrailStatus",
             "cloudtrail:GetTrail", "cloudtrail:ListTrails", "cloudtrail:GetEventSelectors", "cloudwatch:GetMetricStatistics",
             "cloudwatch:ListMetrics", "dax:DescribeClusters", "dynamodb:DescribeLimits", "dynamodb:DescribeTable", "dynamodb:ListTables",
             "ec2:DescribeAddresses", "ec2:DescribeReservedInstances", "ec2:DescribeInstances", "ec2:DescribeVpcs",
             "ec2:DescribeInternetGateways", "ec2:DescribeImages", "ec2:DescribeNatGateways", "ec2:DescribeVolumes",
             "ec2:DescribeSecurityGroups", "ec2:DescribeSubnets", "ec2:DescribeRegions", "ec2:DescribeReservedInstancesOfferings",
             "ec2:DescribeRouteTables", "ec2:DescribeSnapshots", "ec2:DescribeVpcEndpoints", "ec2:DescribeVpnConnections",
             "ec2:DescribeVpnGateways", "ec2:DescribeLaunchTemplateVersions", "ec2:GetManagedPrefixListEntries",
             "ecs:DescribeTaskDefinition", "ecs:ListTaskDefinitions", "ecs:ListClusters", "ecs:ListTasks", "ecs:DescribeTasks",
             "ecs:ListTaskDefinitionFamilies", "elasticloadbalancing:DescribeAccountLimits",
             "elasticloadbalancing:DescribeInstanceHealth", "elasticloadbalancing:DescribeLoadBalancerAttributes",
             "elasticloadbalancing:DescribeLoadBalancerPolicies", "elasticloadbalancing:DescribeLoadBalancerPolicyTypes",
             "elasticloadbalancing:DescribeLoadBalancers", "elasticloadbalancing:DescribeListeners", "elasticloadbalancing:DescribeRules",
             "elasticloadbalancing:DescribeTargetGroups", "elasticloadbalancing:DescribeTargetHealth", "iam:GenerateCredentialReport",
             "iam:GetAccountPasswordPolicy", "iam:GetAccountSummary", "iam:GetCredentialReport", "iam:GetServerCertificate",
             "iam:ListServerCertificates", "iam:ListSAMLProviders", "kinesis:DescribeLimits", "kafka:DescribeClusterV2",
             "kafka:ListClustersV2", "kafka:ListNodes", "network-firewall:ListFirewalls", "network-firewall:DescribeFirewall",
             "outposts:ListAssets", "outposts:GetOutpost", "outposts:ListOutposts", "rds:DescribeAccountAttributes",
             "rds:DescribeDBClusters", "rds:DescribeDBEngineVersions", "rds:DescribeDBInstances", "rds:DescribeDBParameterGroups",
             "rds:DescribeDBParameters", "rds:DescribeDBSecurityGroups", "rds:DescribeDBSnapshots", "rds:DescribeDBSubnetGroups",
             "rds:DescribeEngineDefaultParameters", "rds:DescribeEvents", "rds:DescribeOptionGroupOptions", "rds:DescribeOptionGroups",
             "rds:DescribeOrderableDBInstanceOptions", "rds:DescribeReservedDBInstances", "rds:DescribeReservedDBInstancesOfferings",
             "rds:ListTagsForResource", "redshift:DescribeClusters", "redshift:DescribeReservedNodeOfferings",
             "redshift:DescribeReservedNodes", "route53:GetAccountLimit", "route53:GetHealthCheck", "route53:GetHostedZone",
             "route53:ListHealthChecks", "route53:ListHostedZones", "route53:ListHostedZonesByName", "route53:ListResourceRecordSets",
             "route53resolver:ListResolverEndpoints", "route53resolver:ListResolverEndpointIpAddresses", "s3:GetAccountPublicAccessBlock",
             "s3:GetBucketAcl", "s3:GetBucketPolicy", "s3:GetBucketPolicyStatus", "s3:GetBucketLocation", "s3:GetBucketLogging",
             "s3:GetBucketVersioning", "s3:GetBucketPublicAccessBlock", "s3:GetLifecycleConfiguration", "s3:ListBucket",
             "s3:ListAllMyBuckets", "ses:GetSendQuota", "sqs:GetQueueAttributes", "sqs:ListQueues"], "Resource": "*"}]}
            """#),
        .init(
            "ElastiCacheServiceRolePolicy", path: "/aws-service-role/", version: 4, created: 1512669004, updated: 1701140737,
            #"""
            {"Version": "2012-10-17", "Statement": [{"Sid": "ElastiCacheManagementActions", "Effect": "Allow", "Action":
             ["ec2:AuthorizeSecurityGroupIngress", "ec2:CreateNetworkInterface", "ec2:CreateSecurityGroup", "ec2:DeleteNetworkInterface",
             "ec2:DeleteSecurityGroup", "ec2:DescribeAvailabilityZones", "ec2:DescribeNetworkInterfaces", "ec2:DescribeSecurityGroups",
             "ec2:DescribeSubnets", "ec2:DescribeVpcs", "ec2:DescribeVpcEndpoints", "ec2:ModifyNetworkInterfaceAttribute",
             "ec2:RevokeSecurityGroupIngress", "cloudwatch:PutMetricData", "outposts:GetOutpost", "outposts:GetOutpostInstanceTypes",
             "outposts:ListOutposts", "outposts:ListSites"], "Resource": "*"}, {"Sid": "CreateDeleteVPCEndpoints", "Effect": "Allow",
             "Action": ["ec2:CreateVpcEndpoint", "ec2:DeleteVpcEndpoints"], "Resource": "arn:aws:ec2:*:*:vpc-endpoint/*", "Condition":
             {"StringLike": {"ec2:VpceServiceName": "com.amazonaws.elasticache.serverless.*"}}}, {"Sid": "TagVPCEndpointsOnCreation",
             "Effect": "Allow", "Action": ["ec2:CreateTags"], "Resource": "arn:aws:ec2:*:*:vpc-endpoint/*", "Condition": {"StringEquals":
             {"aws:RequestTag/AmazonElastiCacheManaged": "true", "ec2:CreateAction": "CreateVpcEndpoint"}}}, {"Sid": "ModifyVpcEndpoints",
             "Effect": "Allow", "Action": ["ec2:ModifyVpcEndpoint"], "Resource": "arn:aws:ec2:*:*:vpc-endpoint/*", "Condition":
             {"StringEquals": {"ec2:ResourceTag/AmazonElastiCacheManaged": "true"}}}, {"Sid":
             "AllowAccessToElastiCacheTaggedVpcEndpoints", "Effect": "Allow", "Action": ["ec2:CreateVpcEndpoint",
             "ec2:ModifyVpcEndpoint"], "NotResource": "arn:aws:ec2:*:*:vpc-endpoint/*"}]}
            """#),
    ]
}
