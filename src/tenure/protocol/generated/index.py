"""Index of all classes and versions. Generated from the tables by `python -m tenure.protocol.generate`."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tenure.protocol.generated.cluster_metadata import AbortTransactionRecord as AbortTransactionRecord
    from tenure.protocol.generated.fetch import AbortedTransaction as AbortedTransaction
    from tenure.protocol.generated.cluster_metadata import AccessControlEntryRecord as AccessControlEntryRecord
    from tenure.protocol.generated.create_acls import AclCreation as AclCreation
    from tenure.protocol.generated.create_acls import AclCreationResult as AclCreationResult
    from tenure.protocol.generated.describe_acls import AclDescription as AclDescription
    from tenure.protocol.generated.add_offsets_to_txn import AddOffsetsToTxnRequest as AddOffsetsToTxnRequest
    from tenure.protocol.generated.add_offsets_to_txn import AddOffsetsToTxnResponse as AddOffsetsToTxnResponse
    from tenure.protocol.generated.add_partitions_to_txn import AddPartitionsToTxnPartitionResult as AddPartitionsToTxnPartitionResult
    from tenure.protocol.generated.add_partitions_to_txn import AddPartitionsToTxnRequest as AddPartitionsToTxnRequest
    from tenure.protocol.generated.add_partitions_to_txn import AddPartitionsToTxnResponse as AddPartitionsToTxnResponse
    from tenure.protocol.generated.add_partitions_to_txn import AddPartitionsToTxnResult as AddPartitionsToTxnResult
    from tenure.protocol.generated.add_partitions_to_txn import AddPartitionsToTxnTopic as AddPartitionsToTxnTopic
    from tenure.protocol.generated.add_partitions_to_txn import AddPartitionsToTxnTopicResult as AddPartitionsToTxnTopicResult
    from tenure.protocol.generated.add_partitions_to_txn import AddPartitionsToTxnTransaction as AddPartitionsToTxnTransaction
    from tenure.protocol.generated.add_raft_voter import AddRaftVoterRequest as AddRaftVoterRequest
    from tenure.protocol.generated.add_raft_voter import AddRaftVoterResponse as AddRaftVoterResponse
    from tenure.protocol.generated.alter_client_quotas import AlterClientQuotasEntity as AlterClientQuotasEntity
    from tenure.protocol.generated.alter_client_quotas import AlterClientQuotasEntry as AlterClientQuotasEntry
    from tenure.protocol.generated.alter_client_quotas import AlterClientQuotasEntryResult as AlterClientQuotasEntryResult
    from tenure.protocol.generated.alter_client_quotas import AlterClientQuotasRequest as AlterClientQuotasRequest
    from tenure.protocol.generated.alter_client_quotas import AlterClientQuotasResponse as AlterClientQuotasResponse
    from tenure.protocol.generated.alter_configs import AlterConfigsRequest as AlterConfigsRequest
    from tenure.protocol.generated.alter_configs import AlterConfigsResource as AlterConfigsResource
    from tenure.protocol.generated.alter_configs import AlterConfigsResourceResponse as AlterConfigsResourceResponse
    from tenure.protocol.generated.alter_configs import AlterConfigsResponse as AlterConfigsResponse
    from tenure.protocol.generated.alter_partition_reassignments import AlterPartitionReassignmentsRequest as AlterPartitionReassignmentsRequest
    from tenure.protocol.generated.alter_partition_reassignments import AlterPartitionReassignmentsResponse as AlterPartitionReassignmentsResponse
    from tenure.protocol.generated.alter_replica_log_dirs import AlterReplicaLogDir as AlterReplicaLogDir
    from tenure.protocol.generated.alter_replica_log_dirs import AlterReplicaLogDirPartitionResult as AlterReplicaLogDirPartitionResult
    from tenure.protocol.generated.alter_replica_log_dirs import AlterReplicaLogDirTopic as AlterReplicaLogDirTopic
    from tenure.protocol.generated.alter_replica_log_dirs import AlterReplicaLogDirTopicResult as AlterReplicaLogDirTopicResult
    from tenure.protocol.generated.alter_replica_log_dirs import AlterReplicaLogDirsRequest as AlterReplicaLogDirsRequest
    from tenure.protocol.generated.alter_replica_log_dirs import AlterReplicaLogDirsResponse as AlterReplicaLogDirsResponse
    from tenure.protocol.generated.alter_user_scram_credentials import AlterUserScramCredentialsRequest as AlterUserScramCredentialsRequest
    from tenure.protocol.generated.alter_user_scram_credentials import AlterUserScramCredentialsResponse as AlterUserScramCredentialsResponse
    from tenure.protocol.generated.alter_user_scram_credentials import AlterUserScramCredentialsResult as AlterUserScramCredentialsResult
    from tenure.protocol.generated.alter_configs import AlterableConfig as AlterableConfig
    from tenure.protocol.generated.api_versions import ApiVersion as ApiVersion
    from tenure.protocol.generated.api_versions import ApiVersionsRequest as ApiVersionsRequest
    from tenure.protocol.generated.api_versions import ApiVersionsResponse as ApiVersionsResponse
    from tenure.protocol.generated.produce import BatchIndexAndErrorMessage as BatchIndexAndErrorMessage
    from tenure.protocol.generated.cluster_metadata import BeginTransactionRecord as BeginTransactionRecord
    from tenure.protocol.generated.cluster_metadata import BrokerEndpoint as BrokerEndpoint
    from tenure.protocol.generated.cluster_metadata import BrokerFeature as BrokerFeature
    from tenure.protocol.generated.cluster_metadata import BrokerRegistrationChangeRecord as BrokerRegistrationChangeRecord
    from tenure.protocol.generated.consumer_group_records import ClassicMemberMetadata as ClassicMemberMetadata
    from tenure.protocol.generated.consumer_group_records import ClassicProtocol as ClassicProtocol
    from tenure.protocol.generated.cluster_metadata import ClearElrRecord as ClearElrRecord
    from tenure.protocol.generated.cluster_metadata import ClientQuotaEntity as ClientQuotaEntity
    from tenure.protocol.generated.cluster_metadata import ClientQuotaRecord as ClientQuotaRecord
    from tenure.protocol.generated.describe_client_quotas import ComponentData as ComponentData
    from tenure.protocol.generated.cluster_metadata import ConfigRecord as ConfigRecord
    from tenure.protocol.generated.list_config_resources import ConfigResource as ConfigResource
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupCurrentMemberAssignmentKey as ConsumerGroupCurrentMemberAssignmentKey
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupCurrentMemberAssignmentValue as ConsumerGroupCurrentMemberAssignmentValue
    from tenure.protocol.generated.consumer_group_describe import ConsumerGroupDescribeRequest as ConsumerGroupDescribeRequest
    from tenure.protocol.generated.consumer_group_describe import ConsumerGroupDescribeResponse as ConsumerGroupDescribeResponse
    from tenure.protocol.generated.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest as ConsumerGroupHeartbeatRequest
    from tenure.protocol.generated.consumer_group_heartbeat import ConsumerGroupHeartbeatResponse as ConsumerGroupHeartbeatResponse
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupMemberMetadataKey as ConsumerGroupMemberMetadataKey
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupMemberMetadataValue as ConsumerGroupMemberMetadataValue
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupMetadataKey as ConsumerGroupMetadataKey
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupMetadataValue as ConsumerGroupMetadataValue
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupPartitionMetadataKey as ConsumerGroupPartitionMetadataKey
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupPartitionMetadataValue as ConsumerGroupPartitionMetadataValue
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupRegularExpressionKey as ConsumerGroupRegularExpressionKey
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupRegularExpressionValue as ConsumerGroupRegularExpressionValue
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupTargetAssignmentMemberKey as ConsumerGroupTargetAssignmentMemberKey
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupTargetAssignmentMemberValue as ConsumerGroupTargetAssignmentMemberValue
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupTargetAssignmentMetadataKey as ConsumerGroupTargetAssignmentMetadataKey
    from tenure.protocol.generated.consumer_group_records import ConsumerGroupTargetAssignmentMetadataValue as ConsumerGroupTargetAssignmentMetadataValue
    from tenure.protocol.generated.consumer_protocol import ConsumerProtocolAssignment as ConsumerProtocolAssignment
    from tenure.protocol.generated.consumer_protocol import ConsumerProtocolSubscription as ConsumerProtocolSubscription
    from tenure.protocol.generated.cluster_metadata import ControllerEndpoint as ControllerEndpoint
    from tenure.protocol.generated.cluster_metadata import ControllerFeature as ControllerFeature
    from tenure.protocol.generated.consumer_protocol import CooperativeStickyAssignorUserData as CooperativeStickyAssignorUserData
    from tenure.protocol.generated.find_coordinator import Coordinator as Coordinator
    from tenure.protocol.generated.create_delegation_token import CreatableRenewers as CreatableRenewers
    from tenure.protocol.generated.create_topics import CreatableReplicaAssignment as CreatableReplicaAssignment
    from tenure.protocol.generated.create_topics import CreatableTopic as CreatableTopic
    from tenure.protocol.generated.create_topics import CreatableTopicConfig as CreatableTopicConfig
    from tenure.protocol.generated.create_topics import CreatableTopicConfigs as CreatableTopicConfigs
    from tenure.protocol.generated.create_topics import CreatableTopicResult as CreatableTopicResult
    from tenure.protocol.generated.create_acls import CreateAclsRequest as CreateAclsRequest
    from tenure.protocol.generated.create_acls import CreateAclsResponse as CreateAclsResponse
    from tenure.protocol.generated.create_delegation_token import CreateDelegationTokenRequest as CreateDelegationTokenRequest
    from tenure.protocol.generated.create_delegation_token import CreateDelegationTokenResponse as CreateDelegationTokenResponse
    from tenure.protocol.generated.create_partitions import CreatePartitionsAssignment as CreatePartitionsAssignment
    from tenure.protocol.generated.create_partitions import CreatePartitionsRequest as CreatePartitionsRequest
    from tenure.protocol.generated.create_partitions import CreatePartitionsResponse as CreatePartitionsResponse
    from tenure.protocol.generated.create_partitions import CreatePartitionsTopic as CreatePartitionsTopic
    from tenure.protocol.generated.create_partitions import CreatePartitionsTopicResult as CreatePartitionsTopicResult
    from tenure.protocol.generated.create_topics import CreateTopicsRequest as CreateTopicsRequest
    from tenure.protocol.generated.create_topics import CreateTopicsResponse as CreateTopicsResponse
    from tenure.protocol.generated.describe_user_scram_credentials import CredentialInfo as CredentialInfo
    from tenure.protocol.generated.streams_group_records import CurrentTaskIds as CurrentTaskIds
    from tenure.protocol.generated.consumer_group_records import CurrentTopicPartitions as CurrentTopicPartitions
    from tenure.protocol.generated.describe_topic_partitions import Cursor as Cursor
    from tenure.protocol.generated.delete_groups import DeletableGroupResult as DeletableGroupResult
    from tenure.protocol.generated.delete_topics import DeletableTopicResult as DeletableTopicResult
    from tenure.protocol.generated.delete_acls import DeleteAclsFilter as DeleteAclsFilter
    from tenure.protocol.generated.delete_acls import DeleteAclsFilterResult as DeleteAclsFilterResult
    from tenure.protocol.generated.delete_acls import DeleteAclsMatchingAcl as DeleteAclsMatchingAcl
    from tenure.protocol.generated.delete_acls import DeleteAclsRequest as DeleteAclsRequest
    from tenure.protocol.generated.delete_acls import DeleteAclsResponse as DeleteAclsResponse
    from tenure.protocol.generated.delete_groups import DeleteGroupsRequest as DeleteGroupsRequest
    from tenure.protocol.generated.delete_groups import DeleteGroupsResponse as DeleteGroupsResponse
    from tenure.protocol.generated.delete_records import DeleteRecordsPartition as DeleteRecordsPartition
    from tenure.protocol.generated.delete_records import DeleteRecordsPartitionResult as DeleteRecordsPartitionResult
    from tenure.protocol.generated.delete_records import DeleteRecordsRequest as DeleteRecordsRequest
    from tenure.protocol.generated.delete_records import DeleteRecordsResponse as DeleteRecordsResponse
    from tenure.protocol.generated.delete_records import DeleteRecordsTopic as DeleteRecordsTopic
    from tenure.protocol.generated.delete_records import DeleteRecordsTopicResult as DeleteRecordsTopicResult
    from tenure.protocol.generated.delete_topics import DeleteTopicState as DeleteTopicState
    from tenure.protocol.generated.delete_topics import DeleteTopicsRequest as DeleteTopicsRequest
    from tenure.protocol.generated.delete_topics import DeleteTopicsResponse as DeleteTopicsResponse
    from tenure.protocol.generated.describe_log_dirs import DescribableLogDirTopic as DescribableLogDirTopic
    from tenure.protocol.generated.describe_acls import DescribeAclsRequest as DescribeAclsRequest
    from tenure.protocol.generated.describe_acls import DescribeAclsResource as DescribeAclsResource
    from tenure.protocol.generated.describe_acls import DescribeAclsResponse as DescribeAclsResponse
    from tenure.protocol.generated.describe_client_quotas import DescribeClientQuotasEntity as DescribeClientQuotasEntity
    from tenure.protocol.generated.describe_client_quotas import DescribeClientQuotasEntry as DescribeClientQuotasEntry
    from tenure.protocol.generated.describe_client_quotas import DescribeClientQuotasRequest as DescribeClientQuotasRequest
    from tenure.protocol.generated.describe_client_quotas import DescribeClientQuotasResponse as DescribeClientQuotasResponse
    from tenure.protocol.generated.describe_cluster import DescribeClusterBroker as DescribeClusterBroker
    from tenure.protocol.generated.describe_cluster import DescribeClusterRequest as DescribeClusterRequest
    from tenure.protocol.generated.describe_cluster import DescribeClusterResponse as DescribeClusterResponse
    from tenure.protocol.generated.describe_configs import DescribeConfigsRequest as DescribeConfigsRequest
    from tenure.protocol.generated.describe_configs import DescribeConfigsResource as DescribeConfigsResource
    from tenure.protocol.generated.describe_configs import DescribeConfigsResourceResult as DescribeConfigsResourceResult
    from tenure.protocol.generated.describe_configs import DescribeConfigsResponse as DescribeConfigsResponse
    from tenure.protocol.generated.describe_configs import DescribeConfigsResult as DescribeConfigsResult
    from tenure.protocol.generated.describe_configs import DescribeConfigsSynonym as DescribeConfigsSynonym
    from tenure.protocol.generated.describe_delegation_token import DescribeDelegationTokenOwner as DescribeDelegationTokenOwner
    from tenure.protocol.generated.describe_delegation_token import DescribeDelegationTokenRequest as DescribeDelegationTokenRequest
    from tenure.protocol.generated.describe_delegation_token import DescribeDelegationTokenResponse as DescribeDelegationTokenResponse
    from tenure.protocol.generated.describe_groups import DescribeGroupsRequest as DescribeGroupsRequest
    from tenure.protocol.generated.describe_groups import DescribeGroupsResponse as DescribeGroupsResponse
    from tenure.protocol.generated.describe_log_dirs import DescribeLogDirsPartition as DescribeLogDirsPartition
    from tenure.protocol.generated.describe_log_dirs import DescribeLogDirsRequest as DescribeLogDirsRequest
    from tenure.protocol.generated.describe_log_dirs import DescribeLogDirsResponse as DescribeLogDirsResponse
    from tenure.protocol.generated.describe_log_dirs import DescribeLogDirsResult as DescribeLogDirsResult
    from tenure.protocol.generated.describe_log_dirs import DescribeLogDirsTopic as DescribeLogDirsTopic
    from tenure.protocol.generated.describe_producers import DescribeProducersPartitionResponse as DescribeProducersPartitionResponse
    from tenure.protocol.generated.describe_producers import DescribeProducersRequest as DescribeProducersRequest
    from tenure.protocol.generated.describe_producers import DescribeProducersResponse as DescribeProducersResponse
    from tenure.protocol.generated.describe_producers import DescribeProducersTopic as DescribeProducersTopic
    from tenure.protocol.generated.describe_producers import DescribeProducersTopicResponse as DescribeProducersTopicResponse
    from tenure.protocol.generated.describe_quorum import DescribeQuorumPartition as DescribeQuorumPartition
    from tenure.protocol.generated.describe_quorum import DescribeQuorumRequest as DescribeQuorumRequest
    from tenure.protocol.generated.describe_quorum import DescribeQuorumResponse as DescribeQuorumResponse
    from tenure.protocol.generated.describe_quorum import DescribeQuorumTopic as DescribeQuorumTopic
    from tenure.protocol.generated.describe_topic_partitions import DescribeTopicPartitionsRequest as DescribeTopicPartitionsRequest
    from tenure.protocol.generated.describe_topic_partitions import DescribeTopicPartitionsResponse as DescribeTopicPartitionsResponse
    from tenure.protocol.generated.describe_topic_partitions import DescribeTopicPartitionsResponsePartition as DescribeTopicPartitionsResponsePartition
    from tenure.protocol.generated.describe_topic_partitions import DescribeTopicPartitionsResponseTopic as DescribeTopicPartitionsResponseTopic
    from tenure.protocol.generated.describe_transactions import DescribeTransactionsRequest as DescribeTransactionsRequest
    from tenure.protocol.generated.describe_transactions import DescribeTransactionsResponse as DescribeTransactionsResponse
    from tenure.protocol.generated.describe_user_scram_credentials import DescribeUserScramCredentialsRequest as DescribeUserScramCredentialsRequest
    from tenure.protocol.generated.describe_user_scram_credentials import DescribeUserScramCredentialsResponse as DescribeUserScramCredentialsResponse
    from tenure.protocol.generated.describe_user_scram_credentials import DescribeUserScramCredentialsResult as DescribeUserScramCredentialsResult
    from tenure.protocol.generated.consumer_group_describe import DescribedAssignment as DescribedAssignment
    from tenure.protocol.generated.consumer_group_describe import DescribedConsumerGroup as DescribedConsumerGroup
    from tenure.protocol.generated.consumer_group_describe import DescribedConsumerGroupMember as DescribedConsumerGroupMember
    from tenure.protocol.generated.describe_delegation_token import DescribedDelegationToken as DescribedDelegationToken
    from tenure.protocol.generated.describe_delegation_token import DescribedDelegationTokenRenewer as DescribedDelegationTokenRenewer
    from tenure.protocol.generated.describe_groups import DescribedGroup as DescribedGroup
    from tenure.protocol.generated.describe_groups import DescribedGroupMember as DescribedGroupMember
    from tenure.protocol.generated.describe_quorum import DescribedQuorumPartition as DescribedQuorumPartition
    from tenure.protocol.generated.describe_quorum import DescribedQuorumTopic as DescribedQuorumTopic
    from tenure.protocol.generated.streams_group_describe import DescribedStreamsAssignment as DescribedStreamsAssignment
    from tenure.protocol.generated.streams_group_describe import DescribedStreamsEndpoint as DescribedStreamsEndpoint
    from tenure.protocol.generated.streams_group_describe import DescribedStreamsGroup as DescribedStreamsGroup
    from tenure.protocol.generated.streams_group_describe import DescribedStreamsKeyValue as DescribedStreamsKeyValue
    from tenure.protocol.generated.streams_group_describe import DescribedStreamsMember as DescribedStreamsMember
    from tenure.protocol.generated.streams_group_describe import DescribedStreamsSubtopology as DescribedStreamsSubtopology
    from tenure.protocol.generated.streams_group_describe import DescribedStreamsTaskIds as DescribedStreamsTaskIds
    from tenure.protocol.generated.streams_group_describe import DescribedStreamsTaskOffset as DescribedStreamsTaskOffset
    from tenure.protocol.generated.streams_group_describe import DescribedStreamsTopicInfo as DescribedStreamsTopicInfo
    from tenure.protocol.generated.streams_group_describe import DescribedStreamsTopology as DescribedStreamsTopology
    from tenure.protocol.generated.consumer_group_describe import DescribedTopicPartitions as DescribedTopicPartitions
    from tenure.protocol.generated.streams_group_describe import DescribedTopology as DescribedTopology
    from tenure.protocol.generated.streams_group_describe import DescribedTopologyGlobalStore as DescribedTopologyGlobalStore
    from tenure.protocol.generated.streams_group_describe import DescribedTopologyNode as DescribedTopologyNode
    from tenure.protocol.generated.streams_group_describe import DescribedTopologySubtopology as DescribedTopologySubtopology
    from tenure.protocol.generated.describe_transactions import DescribedTransaction as DescribedTransaction
    from tenure.protocol.generated.describe_transactions import DescribedTransactionTopic as DescribedTransactionTopic
    from tenure.protocol.generated.elect_leaders import ElectLeadersRequest as ElectLeadersRequest
    from tenure.protocol.generated.elect_leaders import ElectLeadersResponse as ElectLeadersResponse
    from tenure.protocol.generated.cluster_metadata import EndTransactionRecord as EndTransactionRecord
    from tenure.protocol.generated.end_txn import EndTxnRequest as EndTxnRequest
    from tenure.protocol.generated.end_txn import EndTxnResponse as EndTxnResponse
    from tenure.protocol.generated.expire_delegation_token import ExpireDelegationTokenRequest as ExpireDelegationTokenRequest
    from tenure.protocol.generated.expire_delegation_token import ExpireDelegationTokenResponse as ExpireDelegationTokenResponse
    from tenure.protocol.generated.cluster_metadata import FeatureLevelRecord as FeatureLevelRecord
    from tenure.protocol.generated.update_features import FeatureUpdateKey as FeatureUpdateKey
    from tenure.protocol.generated.cluster_metadata import FenceBrokerRecord as FenceBrokerRecord
    from tenure.protocol.generated.fetch import FetchPartition as FetchPartition
    from tenure.protocol.generated.fetch import FetchRequest as FetchRequest
    from tenure.protocol.generated.fetch import FetchResponse as FetchResponse
    from tenure.protocol.generated.fetch import FetchTopic as FetchTopic
    from tenure.protocol.generated.fetch import FetchableTopicResponse as FetchableTopicResponse
    from tenure.protocol.generated.api_versions import FinalizedFeatureKey as FinalizedFeatureKey
    from tenure.protocol.generated.find_coordinator import FindCoordinatorRequest as FindCoordinatorRequest
    from tenure.protocol.generated.find_coordinator import FindCoordinatorResponse as FindCoordinatorResponse
    from tenure.protocol.generated.fetch import ForgottenTopic as ForgottenTopic
    from tenure.protocol.generated.consumer_offsets import GroupMetadataKey as GroupMetadataKey
    from tenure.protocol.generated.consumer_offsets import GroupMetadataValue as GroupMetadataValue
    from tenure.protocol.generated.consumer_group_heartbeat import HeartbeatAssignment as HeartbeatAssignment
    from tenure.protocol.generated.heartbeat import HeartbeatRequest as HeartbeatRequest
    from tenure.protocol.generated.heartbeat import HeartbeatResponse as HeartbeatResponse
    from tenure.protocol.generated.consumer_group_heartbeat import HeartbeatTopicPartitions as HeartbeatTopicPartitions
    from tenure.protocol.generated.incremental_alter_configs import IncrementalAlterConfigsRequest as IncrementalAlterConfigsRequest
    from tenure.protocol.generated.incremental_alter_configs import IncrementalAlterConfigsResource as IncrementalAlterConfigsResource
    from tenure.protocol.generated.incremental_alter_configs import IncrementalAlterConfigsResourceResponse as IncrementalAlterConfigsResourceResponse
    from tenure.protocol.generated.incremental_alter_configs import IncrementalAlterConfigsResponse as IncrementalAlterConfigsResponse
    from tenure.protocol.generated.incremental_alter_configs import IncrementalAlterableConfig as IncrementalAlterableConfig
    from tenure.protocol.generated.init_producer_id import InitProducerIdRequest as InitProducerIdRequest
    from tenure.protocol.generated.init_producer_id import InitProducerIdResponse as InitProducerIdResponse
    from tenure.protocol.generated.join_group import JoinGroupRequest as JoinGroupRequest
    from tenure.protocol.generated.join_group import JoinGroupRequestProtocol as JoinGroupRequestProtocol
    from tenure.protocol.generated.join_group import JoinGroupResponse as JoinGroupResponse
    from tenure.protocol.generated.join_group import JoinGroupResponseMember as JoinGroupResponseMember
    from tenure.protocol.generated.streams_group_records import LastAssignmentConfig as LastAssignmentConfig
    from tenure.protocol.generated.leave_group import LeaveGroupRequest as LeaveGroupRequest
    from tenure.protocol.generated.leave_group import LeaveGroupResponse as LeaveGroupResponse
    from tenure.protocol.generated.list_config_resources import ListConfigResourcesRequest as ListConfigResourcesRequest
    from tenure.protocol.generated.list_config_resources import ListConfigResourcesResponse as ListConfigResourcesResponse
    from tenure.protocol.generated.list_groups import ListGroupsRequest as ListGroupsRequest
    from tenure.protocol.generated.list_groups import ListGroupsResponse as ListGroupsResponse
    from tenure.protocol.generated.list_offsets import ListOffsetsPartition as ListOffsetsPartition
    from tenure.protocol.generated.list_offsets import ListOffsetsPartitionResponse as ListOffsetsPartitionResponse
    from tenure.protocol.generated.list_offsets import ListOffsetsRequest as ListOffsetsRequest
    from tenure.protocol.generated.list_offsets import ListOffsetsResponse as ListOffsetsResponse
    from tenure.protocol.generated.list_offsets import ListOffsetsTopic as ListOffsetsTopic
    from tenure.protocol.generated.list_offsets import ListOffsetsTopicResponse as ListOffsetsTopicResponse
    from tenure.protocol.generated.list_partition_reassignments import ListPartitionReassignmentsRequest as ListPartitionReassignmentsRequest
    from tenure.protocol.generated.list_partition_reassignments import ListPartitionReassignmentsResponse as ListPartitionReassignmentsResponse
    from tenure.protocol.generated.list_partition_reassignments import ListPartitionReassignmentsTopics as ListPartitionReassignmentsTopics
    from tenure.protocol.generated.list_transactions import ListTransactionsRequest as ListTransactionsRequest
    from tenure.protocol.generated.list_transactions import ListTransactionsResponse as ListTransactionsResponse
    from tenure.protocol.generated.list_groups import ListedGroup as ListedGroup
    from tenure.protocol.generated.list_transactions import ListedTransaction as ListedTransaction
    from tenure.protocol.generated.leave_group import MemberIdentity as MemberIdentity
    from tenure.protocol.generated.consumer_offsets import MemberMetadata as MemberMetadata
    from tenure.protocol.generated.leave_group import MemberResponse as MemberResponse
    from tenure.protocol.generated.metadata import MetadataRequest as MetadataRequest
    from tenure.protocol.generated.metadata import MetadataRequestTopic as MetadataRequestTopic
    from tenure.protocol.generated.metadata import MetadataResponse as MetadataResponse
    from tenure.protocol.generated.metadata import MetadataResponseBroker as MetadataResponseBroker
    from tenure.protocol.generated.metadata import MetadataResponsePartition as MetadataResponsePartition
    from tenure.protocol.generated.metadata import MetadataResponseTopic as MetadataResponseTopic
    from tenure.protocol.generated.cluster_metadata import NoOpRecord as NoOpRecord
    from tenure.protocol.generated.consumer_offsets import OffsetCommitKey as OffsetCommitKey
    from tenure.protocol.generated.offset_commit import OffsetCommitRequest as OffsetCommitRequest
    from tenure.protocol.generated.offset_commit import OffsetCommitRequestPartition as OffsetCommitRequestPartition
    from tenure.protocol.generated.offset_commit import OffsetCommitRequestTopic as OffsetCommitRequestTopic
    from tenure.protocol.generated.offset_commit import OffsetCommitResponse as OffsetCommitResponse
    from tenure.protocol.generated.offset_commit import OffsetCommitResponsePartition as OffsetCommitResponsePartition
    from tenure.protocol.generated.offset_commit import OffsetCommitResponseTopic as OffsetCommitResponseTopic
    from tenure.protocol.generated.consumer_offsets import OffsetCommitValue as OffsetCommitValue
    from tenure.protocol.generated.offset_delete import OffsetDeleteRequest as OffsetDeleteRequest
    from tenure.protocol.generated.offset_delete import OffsetDeleteRequestPartition as OffsetDeleteRequestPartition
    from tenure.protocol.generated.offset_delete import OffsetDeleteRequestTopic as OffsetDeleteRequestTopic
    from tenure.protocol.generated.offset_delete import OffsetDeleteResponse as OffsetDeleteResponse
    from tenure.protocol.generated.offset_delete import OffsetDeleteResponsePartition as OffsetDeleteResponsePartition
    from tenure.protocol.generated.offset_delete import OffsetDeleteResponseTopic as OffsetDeleteResponseTopic
    from tenure.protocol.generated.offset_fetch import OffsetFetchRequest as OffsetFetchRequest
    from tenure.protocol.generated.offset_fetch import OffsetFetchRequestGroup as OffsetFetchRequestGroup
    from tenure.protocol.generated.offset_fetch import OffsetFetchRequestTopic as OffsetFetchRequestTopic
    from tenure.protocol.generated.offset_fetch import OffsetFetchRequestTopics as OffsetFetchRequestTopics
    from tenure.protocol.generated.offset_fetch import OffsetFetchResponse as OffsetFetchResponse
    from tenure.protocol.generated.offset_fetch import OffsetFetchResponseGroup as OffsetFetchResponseGroup
    from tenure.protocol.generated.offset_fetch import OffsetFetchResponsePartition as OffsetFetchResponsePartition
    from tenure.protocol.generated.offset_fetch import OffsetFetchResponsePartitions as OffsetFetchResponsePartitions
    from tenure.protocol.generated.offset_fetch import OffsetFetchResponseTopic as OffsetFetchResponseTopic
    from tenure.protocol.generated.offset_fetch import OffsetFetchResponseTopics as OffsetFetchResponseTopics
    from tenure.protocol.generated.offset_for_leader_epoch import OffsetForLeaderEpochRequest as OffsetForLeaderEpochRequest
    from tenure.protocol.generated.offset_for_leader_epoch import OffsetForLeaderEpochResponse as OffsetForLeaderEpochResponse
    from tenure.protocol.generated.offset_for_leader_epoch import OffsetForLeaderPartition as OffsetForLeaderPartition
    from tenure.protocol.generated.offset_for_leader_epoch import OffsetForLeaderTopic as OffsetForLeaderTopic
    from tenure.protocol.generated.offset_for_leader_epoch import OffsetForLeaderTopicResult as OffsetForLeaderTopicResult
    from tenure.protocol.generated.list_partition_reassignments import OngoingPartitionReassignment as OngoingPartitionReassignment
    from tenure.protocol.generated.list_partition_reassignments import OngoingTopicReassignment as OngoingTopicReassignment
    from tenure.protocol.generated.alter_client_quotas import OpData as OpData
    from tenure.protocol.generated.cluster_metadata import PartitionChangeRecord as PartitionChangeRecord
    from tenure.protocol.generated.fetch import PartitionData as PartitionData
    from tenure.protocol.generated.consumer_group_records import PartitionMetadata as PartitionMetadata
    from tenure.protocol.generated.produce import PartitionProduceData as PartitionProduceData
    from tenure.protocol.generated.produce import PartitionProduceResponse as PartitionProduceResponse
    from tenure.protocol.generated.cluster_metadata import PartitionRecord as PartitionRecord
    from tenure.protocol.generated.elect_leaders import PartitionResult as PartitionResult
    from tenure.protocol.generated.produce import ProduceRequest as ProduceRequest
    from tenure.protocol.generated.produce import ProduceResponse as ProduceResponse
    from tenure.protocol.generated.cluster_metadata import ProducerIdsRecord as ProducerIdsRecord
    from tenure.protocol.generated.describe_producers import ProducerState as ProducerState
    from tenure.protocol.generated.describe_quorum import QuorumListener as QuorumListener
    from tenure.protocol.generated.describe_quorum import QuorumNode as QuorumNode
    from tenure.protocol.generated.describe_quorum import QuorumReplica as QuorumReplica
    from tenure.protocol.generated.alter_partition_reassignments import ReassignablePartition as ReassignablePartition
    from tenure.protocol.generated.alter_partition_reassignments import ReassignablePartitionResponse as ReassignablePartitionResponse
    from tenure.protocol.generated.alter_partition_reassignments import ReassignableTopic as ReassignableTopic
    from tenure.protocol.generated.alter_partition_reassignments import ReassignableTopicResponse as ReassignableTopicResponse
    from tenure.protocol.generated.cluster_metadata import RegisterBrokerRecord as RegisterBrokerRecord
    from tenure.protocol.generated.cluster_metadata import RegisterControllerRecord as RegisterControllerRecord
    from tenure.protocol.generated.cluster_metadata import RemoveAccessControlEntryRecord as RemoveAccessControlEntryRecord
    from tenure.protocol.generated.remove_raft_voter import RemoveRaftVoterRequest as RemoveRaftVoterRequest
    from tenure.protocol.generated.remove_raft_voter import RemoveRaftVoterResponse as RemoveRaftVoterResponse
    from tenure.protocol.generated.cluster_metadata import RemoveTopicRecord as RemoveTopicRecord
    from tenure.protocol.generated.cluster_metadata import RemoveUserScramCredentialRecord as RemoveUserScramCredentialRecord
    from tenure.protocol.generated.renew_delegation_token import RenewDelegationTokenRequest as RenewDelegationTokenRequest
    from tenure.protocol.generated.renew_delegation_token import RenewDelegationTokenResponse as RenewDelegationTokenResponse
    from tenure.protocol.generated.elect_leaders import ReplicaElectionResult as ReplicaElectionResult
    from tenure.protocol.generated.fetch import ReplicaState as ReplicaState
    from tenure.protocol.generated.sasl_authenticate import SaslAuthenticateRequest as SaslAuthenticateRequest
    from tenure.protocol.generated.sasl_authenticate import SaslAuthenticateResponse as SaslAuthenticateResponse
    from tenure.protocol.generated.sasl_handshake import SaslHandshakeRequest as SaslHandshakeRequest
    from tenure.protocol.generated.sasl_handshake import SaslHandshakeResponse as SaslHandshakeResponse
    from tenure.protocol.generated.alter_user_scram_credentials import ScramCredentialDeletion as ScramCredentialDeletion
    from tenure.protocol.generated.alter_user_scram_credentials import ScramCredentialUpsertion as ScramCredentialUpsertion
    from tenure.protocol.generated.fetch import SnapshotId as SnapshotId
    from tenure.protocol.generated.consumer_protocol import StickyAssignorUserData as StickyAssignorUserData
    from tenure.protocol.generated.streams_group_records import StreamsClientTag as StreamsClientTag
    from tenure.protocol.generated.streams_group_records import StreamsEndpoint as StreamsEndpoint
    from tenure.protocol.generated.streams_group_records import StreamsGroupCurrentMemberAssignmentKey as StreamsGroupCurrentMemberAssignmentKey
    from tenure.protocol.generated.streams_group_records import StreamsGroupCurrentMemberAssignmentValue as StreamsGroupCurrentMemberAssignmentValue
    from tenure.protocol.generated.streams_group_describe import StreamsGroupDescribeRequest as StreamsGroupDescribeRequest
    from tenure.protocol.generated.streams_group_describe import StreamsGroupDescribeResponse as StreamsGroupDescribeResponse
    from tenure.protocol.generated.streams_group_heartbeat import StreamsGroupHeartbeatRequest as StreamsGroupHeartbeatRequest
    from tenure.protocol.generated.streams_group_heartbeat import StreamsGroupHeartbeatResponse as StreamsGroupHeartbeatResponse
    from tenure.protocol.generated.streams_group_records import StreamsGroupMemberMetadataKey as StreamsGroupMemberMetadataKey
    from tenure.protocol.generated.streams_group_records import StreamsGroupMemberMetadataValue as StreamsGroupMemberMetadataValue
    from tenure.protocol.generated.streams_group_records import StreamsGroupMetadataKey as StreamsGroupMetadataKey
    from tenure.protocol.generated.streams_group_records import StreamsGroupMetadataValue as StreamsGroupMetadataValue
    from tenure.protocol.generated.streams_group_records import StreamsGroupTargetAssignmentMemberKey as StreamsGroupTargetAssignmentMemberKey
    from tenure.protocol.generated.streams_group_records import StreamsGroupTargetAssignmentMemberValue as StreamsGroupTargetAssignmentMemberValue
    from tenure.protocol.generated.streams_group_records import StreamsGroupTargetAssignmentMetadataKey as StreamsGroupTargetAssignmentMetadataKey
    from tenure.protocol.generated.streams_group_records import StreamsGroupTargetAssignmentMetadataValue as StreamsGroupTargetAssignmentMetadataValue
    from tenure.protocol.generated.streams_group_topology_description_update import StreamsGroupTopologyDescriptionUpdateRequest as StreamsGroupTopologyDescriptionUpdateRequest
    from tenure.protocol.generated.streams_group_topology_description_update import StreamsGroupTopologyDescriptionUpdateResponse as StreamsGroupTopologyDescriptionUpdateResponse
    from tenure.protocol.generated.streams_group_records import StreamsGroupTopologyKey as StreamsGroupTopologyKey
    from tenure.protocol.generated.streams_group_records import StreamsGroupTopologyValue as StreamsGroupTopologyValue
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatCopartitionGroup as StreamsHeartbeatCopartitionGroup
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatEndpoint as StreamsHeartbeatEndpoint
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatEndpointToPartitions as StreamsHeartbeatEndpointToPartitions
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatKeyValue as StreamsHeartbeatKeyValue
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatStatus as StreamsHeartbeatStatus
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatSubtopology as StreamsHeartbeatSubtopology
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatTaskIds as StreamsHeartbeatTaskIds
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatTaskOffset as StreamsHeartbeatTaskOffset
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatTopicInfo as StreamsHeartbeatTopicInfo
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatTopicPartition as StreamsHeartbeatTopicPartition
    from tenure.protocol.generated.streams_group_heartbeat import StreamsHeartbeatTopology as StreamsHeartbeatTopology
    from tenure.protocol.generated.api_versions import SupportedFeatureKey as SupportedFeatureKey
    from tenure.protocol.generated.sync_group import SyncGroupRequest as SyncGroupRequest
    from tenure.protocol.generated.sync_group import SyncGroupRequestAssignment as SyncGroupRequestAssignment
    from tenure.protocol.generated.sync_group import SyncGroupResponse as SyncGroupResponse
    from tenure.protocol.generated.streams_group_records import TargetTaskIds as TargetTaskIds
    from tenure.protocol.generated.consumer_group_records import TargetTopicPartitions as TargetTopicPartitions
    from tenure.protocol.generated.consumer_group_records import TopicMetadata as TopicMetadata
    from tenure.protocol.generated.consumer_protocol import TopicPartition as TopicPartition
    from tenure.protocol.generated.elect_leaders import TopicPartitions as TopicPartitions
    from tenure.protocol.generated.produce import TopicProduceData as TopicProduceData
    from tenure.protocol.generated.produce import TopicProduceResponse as TopicProduceResponse
    from tenure.protocol.generated.cluster_metadata import TopicRecord as TopicRecord
    from tenure.protocol.generated.describe_topic_partitions import TopicRequest as TopicRequest
    from tenure.protocol.generated.streams_group_records import TopologyCopartitionGroup as TopologyCopartitionGroup
    from tenure.protocol.generated.streams_group_topology_description_update import TopologyDescription as TopologyDescription
    from tenure.protocol.generated.streams_group_topology_description_update import TopologyDescriptionGlobalStore as TopologyDescriptionGlobalStore
    from tenure.protocol.generated.streams_group_topology_description_update import TopologyDescriptionNode as TopologyDescriptionNode
    from tenure.protocol.generated.streams_group_topology_description_update import TopologyDescriptionSubtopology as TopologyDescriptionSubtopology
    from tenure.protocol.generated.streams_group_records import TopologySubtopology as TopologySubtopology
    from tenure.protocol.generated.streams_group_records import TopologyTopicConfig as TopologyTopicConfig
    from tenure.protocol.generated.streams_group_records import TopologyTopicInfo as TopologyTopicInfo
    from tenure.protocol.generated.transaction_state import TransactionLogKey as TransactionLogKey
    from tenure.protocol.generated.transaction_state import TransactionLogValue as TransactionLogValue
    from tenure.protocol.generated.transaction_state import TransactionPartitions as TransactionPartitions
    from tenure.protocol.generated.txn_offset_commit import TxnOffsetCommitRequest as TxnOffsetCommitRequest
    from tenure.protocol.generated.txn_offset_commit import TxnOffsetCommitRequestPartition as TxnOffsetCommitRequestPartition
    from tenure.protocol.generated.txn_offset_commit import TxnOffsetCommitRequestTopic as TxnOffsetCommitRequestTopic
    from tenure.protocol.generated.txn_offset_commit import TxnOffsetCommitResponse as TxnOffsetCommitResponse
    from tenure.protocol.generated.txn_offset_commit import TxnOffsetCommitResponsePartition as TxnOffsetCommitResponsePartition
    from tenure.protocol.generated.txn_offset_commit import TxnOffsetCommitResponseTopic as TxnOffsetCommitResponseTopic
    from tenure.protocol.generated.cluster_metadata import UnfenceBrokerRecord as UnfenceBrokerRecord
    from tenure.protocol.generated.cluster_metadata import UnregisterBrokerRecord as UnregisterBrokerRecord
    from tenure.protocol.generated.unregister_broker import UnregisterBrokerRequest as UnregisterBrokerRequest
    from tenure.protocol.generated.unregister_broker import UnregisterBrokerResponse as UnregisterBrokerResponse
    from tenure.protocol.generated.unregister_controller import UnregisterControllerRequest as UnregisterControllerRequest
    from tenure.protocol.generated.unregister_controller import UnregisterControllerResponse as UnregisterControllerResponse
    from tenure.protocol.generated.update_features import UpdatableFeatureResult as UpdatableFeatureResult
    from tenure.protocol.generated.update_features import UpdateFeaturesRequest as UpdateFeaturesRequest
    from tenure.protocol.generated.update_features import UpdateFeaturesResponse as UpdateFeaturesResponse
    from tenure.protocol.generated.describe_user_scram_credentials import UserName as UserName
    from tenure.protocol.generated.cluster_metadata import UserScramCredentialRecord as UserScramCredentialRecord
    from tenure.protocol.generated.describe_client_quotas import ValueData as ValueData
    from tenure.protocol.generated.add_raft_voter import VoterListener as VoterListener
    from tenure.protocol.generated.write_txn_markers import WritableTxnMarker as WritableTxnMarker
    from tenure.protocol.generated.write_txn_markers import WritableTxnMarkerPartitionResult as WritableTxnMarkerPartitionResult
    from tenure.protocol.generated.write_txn_markers import WritableTxnMarkerResult as WritableTxnMarkerResult
    from tenure.protocol.generated.write_txn_markers import WritableTxnMarkerTopic as WritableTxnMarkerTopic
    from tenure.protocol.generated.write_txn_markers import WritableTxnMarkerTopicResult as WritableTxnMarkerTopicResult
    from tenure.protocol.generated.write_txn_markers import WriteTxnMarkersRequest as WriteTxnMarkersRequest
    from tenure.protocol.generated.write_txn_markers import WriteTxnMarkersResponse as WriteTxnMarkersResponse

HOMES: Final = {
    "AbortTransactionRecord": "cluster_metadata",
    "AbortedTransaction": "fetch",
    "AccessControlEntryRecord": "cluster_metadata",
    "AclCreation": "create_acls",
    "AclCreationResult": "create_acls",
    "AclDescription": "describe_acls",
    "AddOffsetsToTxnRequest": "add_offsets_to_txn",
    "AddOffsetsToTxnResponse": "add_offsets_to_txn",
    "AddPartitionsToTxnPartitionResult": "add_partitions_to_txn",
    "AddPartitionsToTxnRequest": "add_partitions_to_txn",
    "AddPartitionsToTxnResponse": "add_partitions_to_txn",
    "AddPartitionsToTxnResult": "add_partitions_to_txn",
    "AddPartitionsToTxnTopic": "add_partitions_to_txn",
    "AddPartitionsToTxnTopicResult": "add_partitions_to_txn",
    "AddPartitionsToTxnTransaction": "add_partitions_to_txn",
    "AddRaftVoterRequest": "add_raft_voter",
    "AddRaftVoterResponse": "add_raft_voter",
    "AlterClientQuotasEntity": "alter_client_quotas",
    "AlterClientQuotasEntry": "alter_client_quotas",
    "AlterClientQuotasEntryResult": "alter_client_quotas",
    "AlterClientQuotasRequest": "alter_client_quotas",
    "AlterClientQuotasResponse": "alter_client_quotas",
    "AlterConfigsRequest": "alter_configs",
    "AlterConfigsResource": "alter_configs",
    "AlterConfigsResourceResponse": "alter_configs",
    "AlterConfigsResponse": "alter_configs",
    "AlterPartitionReassignmentsRequest": "alter_partition_reassignments",
    "AlterPartitionReassignmentsResponse": "alter_partition_reassignments",
    "AlterReplicaLogDir": "alter_replica_log_dirs",
    "AlterReplicaLogDirPartitionResult": "alter_replica_log_dirs",
    "AlterReplicaLogDirTopic": "alter_replica_log_dirs",
    "AlterReplicaLogDirTopicResult": "alter_replica_log_dirs",
    "AlterReplicaLogDirsRequest": "alter_replica_log_dirs",
    "AlterReplicaLogDirsResponse": "alter_replica_log_dirs",
    "AlterUserScramCredentialsRequest": "alter_user_scram_credentials",
    "AlterUserScramCredentialsResponse": "alter_user_scram_credentials",
    "AlterUserScramCredentialsResult": "alter_user_scram_credentials",
    "AlterableConfig": "alter_configs",
    "ApiVersion": "api_versions",
    "ApiVersionsRequest": "api_versions",
    "ApiVersionsResponse": "api_versions",
    "BatchIndexAndErrorMessage": "produce",
    "BeginTransactionRecord": "cluster_metadata",
    "BrokerEndpoint": "cluster_metadata",
    "BrokerFeature": "cluster_metadata",
    "BrokerRegistrationChangeRecord": "cluster_metadata",
    "ClassicMemberMetadata": "consumer_group_records",
    "ClassicProtocol": "consumer_group_records",
    "ClearElrRecord": "cluster_metadata",
    "ClientQuotaEntity": "cluster_metadata",
    "ClientQuotaRecord": "cluster_metadata",
    "ComponentData": "describe_client_quotas",
    "ConfigRecord": "cluster_metadata",
    "ConfigResource": "list_config_resources",
    "ConsumerGroupCurrentMemberAssignmentKey": "consumer_group_records",
    "ConsumerGroupCurrentMemberAssignmentValue": "consumer_group_records",
    "ConsumerGroupDescribeRequest": "consumer_group_describe",
    "ConsumerGroupDescribeResponse": "consumer_group_describe",
    "ConsumerGroupHeartbeatRequest": "consumer_group_heartbeat",
    "ConsumerGroupHeartbeatResponse": "consumer_group_heartbeat",
    "ConsumerGroupMemberMetadataKey": "consumer_group_records",
    "ConsumerGroupMemberMetadataValue": "consumer_group_records",
    "ConsumerGroupMetadataKey": "consumer_group_records",
    "ConsumerGroupMetadataValue": "consumer_group_records",
    "ConsumerGroupPartitionMetadataKey": "consumer_group_records",
    "ConsumerGroupPartitionMetadataValue": "consumer_group_records",
    "ConsumerGroupRegularExpressionKey": "consumer_group_records",
    "ConsumerGroupRegularExpressionValue": "consumer_group_records",
    "ConsumerGroupTargetAssignmentMemberKey": "consumer_group_records",
    "ConsumerGroupTargetAssignmentMemberValue": "consumer_group_records",
    "ConsumerGroupTargetAssignmentMetadataKey": "consumer_group_records",
    "ConsumerGroupTargetAssignmentMetadataValue": "consumer_group_records",
    "ConsumerProtocolAssignment": "consumer_protocol",
    "ConsumerProtocolSubscription": "consumer_protocol",
    "ControllerEndpoint": "cluster_metadata",
    "ControllerFeature": "cluster_metadata",
    "CooperativeStickyAssignorUserData": "consumer_protocol",
    "Coordinator": "find_coordinator",
    "CreatableRenewers": "create_delegation_token",
    "CreatableReplicaAssignment": "create_topics",
    "CreatableTopic": "create_topics",
    "CreatableTopicConfig": "create_topics",
    "CreatableTopicConfigs": "create_topics",
    "CreatableTopicResult": "create_topics",
    "CreateAclsRequest": "create_acls",
    "CreateAclsResponse": "create_acls",
    "CreateDelegationTokenRequest": "create_delegation_token",
    "CreateDelegationTokenResponse": "create_delegation_token",
    "CreatePartitionsAssignment": "create_partitions",
    "CreatePartitionsRequest": "create_partitions",
    "CreatePartitionsResponse": "create_partitions",
    "CreatePartitionsTopic": "create_partitions",
    "CreatePartitionsTopicResult": "create_partitions",
    "CreateTopicsRequest": "create_topics",
    "CreateTopicsResponse": "create_topics",
    "CredentialInfo": "describe_user_scram_credentials",
    "CurrentTaskIds": "streams_group_records",
    "CurrentTopicPartitions": "consumer_group_records",
    "Cursor": "describe_topic_partitions",
    "DeletableGroupResult": "delete_groups",
    "DeletableTopicResult": "delete_topics",
    "DeleteAclsFilter": "delete_acls",
    "DeleteAclsFilterResult": "delete_acls",
    "DeleteAclsMatchingAcl": "delete_acls",
    "DeleteAclsRequest": "delete_acls",
    "DeleteAclsResponse": "delete_acls",
    "DeleteGroupsRequest": "delete_groups",
    "DeleteGroupsResponse": "delete_groups",
    "DeleteRecordsPartition": "delete_records",
    "DeleteRecordsPartitionResult": "delete_records",
    "DeleteRecordsRequest": "delete_records",
    "DeleteRecordsResponse": "delete_records",
    "DeleteRecordsTopic": "delete_records",
    "DeleteRecordsTopicResult": "delete_records",
    "DeleteTopicState": "delete_topics",
    "DeleteTopicsRequest": "delete_topics",
    "DeleteTopicsResponse": "delete_topics",
    "DescribableLogDirTopic": "describe_log_dirs",
    "DescribeAclsRequest": "describe_acls",
    "DescribeAclsResource": "describe_acls",
    "DescribeAclsResponse": "describe_acls",
    "DescribeClientQuotasEntity": "describe_client_quotas",
    "DescribeClientQuotasEntry": "describe_client_quotas",
    "DescribeClientQuotasRequest": "describe_client_quotas",
    "DescribeClientQuotasResponse": "describe_client_quotas",
    "DescribeClusterBroker": "describe_cluster",
    "DescribeClusterRequest": "describe_cluster",
    "DescribeClusterResponse": "describe_cluster",
    "DescribeConfigsRequest": "describe_configs",
    "DescribeConfigsResource": "describe_configs",
    "DescribeConfigsResourceResult": "describe_configs",
    "DescribeConfigsResponse": "describe_configs",
    "DescribeConfigsResult": "describe_configs",
    "DescribeConfigsSynonym": "describe_configs",
    "DescribeDelegationTokenOwner": "describe_delegation_token",
    "DescribeDelegationTokenRequest": "describe_delegation_token",
    "DescribeDelegationTokenResponse": "describe_delegation_token",
    "DescribeGroupsRequest": "describe_groups",
    "DescribeGroupsResponse": "describe_groups",
    "DescribeLogDirsPartition": "describe_log_dirs",
    "DescribeLogDirsRequest": "describe_log_dirs",
    "DescribeLogDirsResponse": "describe_log_dirs",
    "DescribeLogDirsResult": "describe_log_dirs",
    "DescribeLogDirsTopic": "describe_log_dirs",
    "DescribeProducersPartitionResponse": "describe_producers",
    "DescribeProducersRequest": "describe_producers",
    "DescribeProducersResponse": "describe_producers",
    "DescribeProducersTopic": "describe_producers",
    "DescribeProducersTopicResponse": "describe_producers",
    "DescribeQuorumPartition": "describe_quorum",
    "DescribeQuorumRequest": "describe_quorum",
    "DescribeQuorumResponse": "describe_quorum",
    "DescribeQuorumTopic": "describe_quorum",
    "DescribeTopicPartitionsRequest": "describe_topic_partitions",
    "DescribeTopicPartitionsResponse": "describe_topic_partitions",
    "DescribeTopicPartitionsResponsePartition": "describe_topic_partitions",
    "DescribeTopicPartitionsResponseTopic": "describe_topic_partitions",
    "DescribeTransactionsRequest": "describe_transactions",
    "DescribeTransactionsResponse": "describe_transactions",
    "DescribeUserScramCredentialsRequest": "describe_user_scram_credentials",
    "DescribeUserScramCredentialsResponse": "describe_user_scram_credentials",
    "DescribeUserScramCredentialsResult": "describe_user_scram_credentials",
    "DescribedAssignment": "consumer_group_describe",
    "DescribedConsumerGroup": "consumer_group_describe",
    "DescribedConsumerGroupMember": "consumer_group_describe",
    "DescribedDelegationToken": "describe_delegation_token",
    "DescribedDelegationTokenRenewer": "describe_delegation_token",
    "DescribedGroup": "describe_groups",
    "DescribedGroupMember": "describe_groups",
    "DescribedQuorumPartition": "describe_quorum",
    "DescribedQuorumTopic": "describe_quorum",
    "DescribedStreamsAssignment": "streams_group_describe",
    "DescribedStreamsEndpoint": "streams_group_describe",
    "DescribedStreamsGroup": "streams_group_describe",
    "DescribedStreamsKeyValue": "streams_group_describe",
    "DescribedStreamsMember": "streams_group_describe",
    "DescribedStreamsSubtopology": "streams_group_describe",
    "DescribedStreamsTaskIds": "streams_group_describe",
    "DescribedStreamsTaskOffset": "streams_group_describe",
    "DescribedStreamsTopicInfo": "streams_group_describe",
    "DescribedStreamsTopology": "streams_group_describe",
    "DescribedTopicPartitions": "consumer_group_describe",
    "DescribedTopology": "streams_group_describe",
    "DescribedTopologyGlobalStore": "streams_group_describe",
    "DescribedTopologyNode": "streams_group_describe",
    "DescribedTopologySubtopology": "streams_group_describe",
    "DescribedTransaction": "describe_transactions",
    "DescribedTransactionTopic": "describe_transactions",
    "ElectLeadersRequest": "elect_leaders",
    "ElectLeadersResponse": "elect_leaders",
    "EndTransactionRecord": "cluster_metadata",
    "EndTxnRequest": "end_txn",
    "EndTxnResponse": "end_txn",
    "ExpireDelegationTokenRequest": "expire_delegation_token",
    "ExpireDelegationTokenResponse": "expire_delegation_token",
    "FeatureLevelRecord": "cluster_metadata",
    "FeatureUpdateKey": "update_features",
    "FenceBrokerRecord": "cluster_metadata",
    "FetchPartition": "fetch",
    "FetchRequest": "fetch",
    "FetchResponse": "fetch",
    "FetchTopic": "fetch",
    "FetchableTopicResponse": "fetch",
    "FinalizedFeatureKey": "api_versions",
    "FindCoordinatorRequest": "find_coordinator",
    "FindCoordinatorResponse": "find_coordinator",
    "ForgottenTopic": "fetch",
    "GroupMetadataKey": "consumer_offsets",
    "GroupMetadataValue": "consumer_offsets",
    "HeartbeatAssignment": "consumer_group_heartbeat",
    "HeartbeatRequest": "heartbeat",
    "HeartbeatResponse": "heartbeat",
    "HeartbeatTopicPartitions": "consumer_group_heartbeat",
    "IncrementalAlterConfigsRequest": "incremental_alter_configs",
    "IncrementalAlterConfigsResource": "incremental_alter_configs",
    "IncrementalAlterConfigsResourceResponse": "incremental_alter_configs",
    "IncrementalAlterConfigsResponse": "incremental_alter_configs",
    "IncrementalAlterableConfig": "incremental_alter_configs",
    "InitProducerIdRequest": "init_producer_id",
    "InitProducerIdResponse": "init_producer_id",
    "JoinGroupRequest": "join_group",
    "JoinGroupRequestProtocol": "join_group",
    "JoinGroupResponse": "join_group",
    "JoinGroupResponseMember": "join_group",
    "LastAssignmentConfig": "streams_group_records",
    "LeaveGroupRequest": "leave_group",
    "LeaveGroupResponse": "leave_group",
    "ListConfigResourcesRequest": "list_config_resources",
    "ListConfigResourcesResponse": "list_config_resources",
    "ListGroupsRequest": "list_groups",
    "ListGroupsResponse": "list_groups",
    "ListOffsetsPartition": "list_offsets",
    "ListOffsetsPartitionResponse": "list_offsets",
    "ListOffsetsRequest": "list_offsets",
    "ListOffsetsResponse": "list_offsets",
    "ListOffsetsTopic": "list_offsets",
    "ListOffsetsTopicResponse": "list_offsets",
    "ListPartitionReassignmentsRequest": "list_partition_reassignments",
    "ListPartitionReassignmentsResponse": "list_partition_reassignments",
    "ListPartitionReassignmentsTopics": "list_partition_reassignments",
    "ListTransactionsRequest": "list_transactions",
    "ListTransactionsResponse": "list_transactions",
    "ListedGroup": "list_groups",
    "ListedTransaction": "list_transactions",
    "MemberIdentity": "leave_group",
    "MemberMetadata": "consumer_offsets",
    "MemberResponse": "leave_group",
    "MetadataRequest": "metadata",
    "MetadataRequestTopic": "metadata",
    "MetadataResponse": "metadata",
    "MetadataResponseBroker": "metadata",
    "MetadataResponsePartition": "metadata",
    "MetadataResponseTopic": "metadata",
    "NoOpRecord": "cluster_metadata",
    "OffsetCommitKey": "consumer_offsets",
    "OffsetCommitRequest": "offset_commit",
    "OffsetCommitRequestPartition": "offset_commit",
    "OffsetCommitRequestTopic": "offset_commit",
    "OffsetCommitResponse": "offset_commit",
    "OffsetCommitResponsePartition": "offset_commit",
    "OffsetCommitResponseTopic": "offset_commit",
    "OffsetCommitValue": "consumer_offsets",
    "OffsetDeleteRequest": "offset_delete",
    "OffsetDeleteRequestPartition": "offset_delete",
    "OffsetDeleteRequestTopic": "offset_delete",
    "OffsetDeleteResponse": "offset_delete",
    "OffsetDeleteResponsePartition": "offset_delete",
    "OffsetDeleteResponseTopic": "offset_delete",
    "OffsetFetchRequest": "offset_fetch",
    "OffsetFetchRequestGroup": "offset_fetch",
    "OffsetFetchRequestTopic": "offset_fetch",
    "OffsetFetchRequestTopics": "offset_fetch",
    "OffsetFetchResponse": "offset_fetch",
    "OffsetFetchResponseGroup": "offset_fetch",
    "OffsetFetchResponsePartition": "offset_fetch",
    "OffsetFetchResponsePartitions": "offset_fetch",
    "OffsetFetchResponseTopic": "offset_fetch",
    "OffsetFetchResponseTopics": "offset_fetch",
    "OffsetForLeaderEpochRequest": "offset_for_leader_epoch",
    "OffsetForLeaderEpochResponse": "offset_for_leader_epoch",
    "OffsetForLeaderPartition": "offset_for_leader_epoch",
    "OffsetForLeaderTopic": "offset_for_leader_epoch",
    "OffsetForLeaderTopicResult": "offset_for_leader_epoch",
    "OngoingPartitionReassignment": "list_partition_reassignments",
    "OngoingTopicReassignment": "list_partition_reassignments",
    "OpData": "alter_client_quotas",
    "PartitionChangeRecord": "cluster_metadata",
    "PartitionData": "fetch",
    "PartitionMetadata": "consumer_group_records",
    "PartitionProduceData": "produce",
    "PartitionProduceResponse": "produce",
    "PartitionRecord": "cluster_metadata",
    "PartitionResult": "elect_leaders",
    "ProduceRequest": "produce",
    "ProduceResponse": "produce",
    "ProducerIdsRecord": "cluster_metadata",
    "ProducerState": "describe_producers",
    "QuorumListener": "describe_quorum",
    "QuorumNode": "describe_quorum",
    "QuorumReplica": "describe_quorum",
    "ReassignablePartition": "alter_partition_reassignments",
    "ReassignablePartitionResponse": "alter_partition_reassignments",
    "ReassignableTopic": "alter_partition_reassignments",
    "ReassignableTopicResponse": "alter_partition_reassignments",
    "RegisterBrokerRecord": "cluster_metadata",
    "RegisterControllerRecord": "cluster_metadata",
    "RemoveAccessControlEntryRecord": "cluster_metadata",
    "RemoveRaftVoterRequest": "remove_raft_voter",
    "RemoveRaftVoterResponse": "remove_raft_voter",
    "RemoveTopicRecord": "cluster_metadata",
    "RemoveUserScramCredentialRecord": "cluster_metadata",
    "RenewDelegationTokenRequest": "renew_delegation_token",
    "RenewDelegationTokenResponse": "renew_delegation_token",
    "ReplicaElectionResult": "elect_leaders",
    "ReplicaState": "fetch",
    "SaslAuthenticateRequest": "sasl_authenticate",
    "SaslAuthenticateResponse": "sasl_authenticate",
    "SaslHandshakeRequest": "sasl_handshake",
    "SaslHandshakeResponse": "sasl_handshake",
    "ScramCredentialDeletion": "alter_user_scram_credentials",
    "ScramCredentialUpsertion": "alter_user_scram_credentials",
    "SnapshotId": "fetch",
    "StickyAssignorUserData": "consumer_protocol",
    "StreamsClientTag": "streams_group_records",
    "StreamsEndpoint": "streams_group_records",
    "StreamsGroupCurrentMemberAssignmentKey": "streams_group_records",
    "StreamsGroupCurrentMemberAssignmentValue": "streams_group_records",
    "StreamsGroupDescribeRequest": "streams_group_describe",
    "StreamsGroupDescribeResponse": "streams_group_describe",
    "StreamsGroupHeartbeatRequest": "streams_group_heartbeat",
    "StreamsGroupHeartbeatResponse": "streams_group_heartbeat",
    "StreamsGroupMemberMetadataKey": "streams_group_records",
    "StreamsGroupMemberMetadataValue": "streams_group_records",
    "StreamsGroupMetadataKey": "streams_group_records",
    "StreamsGroupMetadataValue": "streams_group_records",
    "StreamsGroupTargetAssignmentMemberKey": "streams_group_records",
    "StreamsGroupTargetAssignmentMemberValue": "streams_group_records",
    "StreamsGroupTargetAssignmentMetadataKey": "streams_group_records",
    "StreamsGroupTargetAssignmentMetadataValue": "streams_group_records",
    "StreamsGroupTopologyDescriptionUpdateRequest": "streams_group_topology_description_update",
    "StreamsGroupTopologyDescriptionUpdateResponse": "streams_group_topology_description_update",
    "StreamsGroupTopologyKey": "streams_group_records",
    "StreamsGroupTopologyValue": "streams_group_records",
    "StreamsHeartbeatCopartitionGroup": "streams_group_heartbeat",
    "StreamsHeartbeatEndpoint": "streams_group_heartbeat",
    "StreamsHeartbeatEndpointToPartitions": "streams_group_heartbeat",
    "StreamsHeartbeatKeyValue": "streams_group_heartbeat",
    "StreamsHeartbeatStatus": "streams_group_heartbeat",
    "StreamsHeartbeatSubtopology": "streams_group_heartbeat",
    "StreamsHeartbeatTaskIds": "streams_group_heartbeat",
    "StreamsHeartbeatTaskOffset": "streams_group_heartbeat",
    "StreamsHeartbeatTopicInfo": "streams_group_heartbeat",
    "StreamsHeartbeatTopicPartition": "streams_group_heartbeat",
    "StreamsHeartbeatTopology": "streams_group_heartbeat",
    "SupportedFeatureKey": "api_versions",
    "SyncGroupRequest": "sync_group",
    "SyncGroupRequestAssignment": "sync_group",
    "SyncGroupResponse": "sync_group",
    "TargetTaskIds": "streams_group_records",
    "TargetTopicPartitions": "consumer_group_records",
    "TopicMetadata": "consumer_group_records",
    "TopicPartition": "consumer_protocol",
    "TopicPartitions": "elect_leaders",
    "TopicProduceData": "produce",
    "TopicProduceResponse": "produce",
    "TopicRecord": "cluster_metadata",
    "TopicRequest": "describe_topic_partitions",
    "TopologyCopartitionGroup": "streams_group_records",
    "TopologyDescription": "streams_group_topology_description_update",
    "TopologyDescriptionGlobalStore": "streams_group_topology_description_update",
    "TopologyDescriptionNode": "streams_group_topology_description_update",
    "TopologyDescriptionSubtopology": "streams_group_topology_description_update",
    "TopologySubtopology": "streams_group_records",
    "TopologyTopicConfig": "streams_group_records",
    "TopologyTopicInfo": "streams_group_records",
    "TransactionLogKey": "transaction_state",
    "TransactionLogValue": "transaction_state",
    "TransactionPartitions": "transaction_state",
    "TxnOffsetCommitRequest": "txn_offset_commit",
    "TxnOffsetCommitRequestPartition": "txn_offset_commit",
    "TxnOffsetCommitRequestTopic": "txn_offset_commit",
    "TxnOffsetCommitResponse": "txn_offset_commit",
    "TxnOffsetCommitResponsePartition": "txn_offset_commit",
    "TxnOffsetCommitResponseTopic": "txn_offset_commit",
    "UnfenceBrokerRecord": "cluster_metadata",
    "UnregisterBrokerRecord": "cluster_metadata",
    "UnregisterBrokerRequest": "unregister_broker",
    "UnregisterBrokerResponse": "unregister_broker",
    "UnregisterControllerRequest": "unregister_controller",
    "UnregisterControllerResponse": "unregister_controller",
    "UpdatableFeatureResult": "update_features",
    "UpdateFeaturesRequest": "update_features",
    "UpdateFeaturesResponse": "update_features",
    "UserName": "describe_user_scram_credentials",
    "UserScramCredentialRecord": "cluster_metadata",
    "ValueData": "describe_client_quotas",
    "VoterListener": "add_raft_voter",
    "WritableTxnMarker": "write_txn_markers",
    "WritableTxnMarkerPartitionResult": "write_txn_markers",
    "WritableTxnMarkerResult": "write_txn_markers",
    "WritableTxnMarkerTopic": "write_txn_markers",
    "WritableTxnMarkerTopicResult": "write_txn_markers",
    "WriteTxnMarkersRequest": "write_txn_markers",
    "WriteTxnMarkersResponse": "write_txn_markers",
}
"""Class -> module. A struct whose name two modules use is missing here: import it from its own module."""

API_ROWS: Final = (
    (0, "Produce", 3, 13, 9),
    (1, "Fetch", 4, 18, 12),
    (2, "ListOffsets", 1, 11, 6),
    (3, "Metadata", 0, 13, 9),
    (8, "OffsetCommit", 2, 10, 8),
    (9, "OffsetFetch", 1, 10, 6),
    (10, "FindCoordinator", 0, 6, 3),
    (11, "JoinGroup", 0, 9, 6),
    (12, "Heartbeat", 0, 4, 4),
    (13, "LeaveGroup", 0, 5, 4),
    (14, "SyncGroup", 0, 5, 4),
    (15, "DescribeGroups", 0, 6, 5),
    (16, "ListGroups", 0, 5, 3),
    (17, "SaslHandshake", 0, 1, 2),
    (18, "ApiVersions", 0, 5, 3),
    (19, "CreateTopics", 2, 7, 5),
    (20, "DeleteTopics", 1, 6, 4),
    (21, "DeleteRecords", 0, 2, 2),
    (22, "InitProducerId", 0, 5, 2),
    (23, "OffsetForLeaderEpoch", 2, 4, 4),
    (24, "AddPartitionsToTxn", 0, 5, 3),
    (25, "AddOffsetsToTxn", 0, 4, 3),
    (26, "EndTxn", 0, 5, 3),
    (27, "WriteTxnMarkers", 1, 2, 1),
    (28, "TxnOffsetCommit", 0, 6, 3),
    (29, "DescribeAcls", 1, 3, 2),
    (30, "CreateAcls", 1, 3, 2),
    (31, "DeleteAcls", 1, 3, 2),
    (32, "DescribeConfigs", 1, 4, 4),
    (33, "AlterConfigs", 0, 2, 2),
    (34, "AlterReplicaLogDirs", 1, 2, 2),
    (35, "DescribeLogDirs", 1, 5, 2),
    (36, "SaslAuthenticate", 0, 2, 2),
    (37, "CreatePartitions", 0, 3, 2),
    (38, "CreateDelegationToken", 1, 3, 2),
    (39, "RenewDelegationToken", 1, 2, 2),
    (40, "ExpireDelegationToken", 1, 2, 2),
    (41, "DescribeDelegationToken", 1, 3, 2),
    (42, "DeleteGroups", 0, 3, 2),
    (43, "ElectLeaders", 0, 2, 2),
    (44, "IncrementalAlterConfigs", 0, 1, 1),
    (45, "AlterPartitionReassignments", 0, 1, 0),
    (46, "ListPartitionReassignments", 0, 0, 0),
    (47, "OffsetDelete", 0, 0, 1),
    (48, "DescribeClientQuotas", 0, 1, 1),
    (49, "AlterClientQuotas", 0, 1, 1),
    (50, "DescribeUserScramCredentials", 0, 0, 0),
    (51, "AlterUserScramCredentials", 0, 0, 0),
    (55, "DescribeQuorum", 0, 2, 0),
    (57, "UpdateFeatures", 0, 2, 0),
    (60, "DescribeCluster", 0, 2, 0),
    (61, "DescribeProducers", 0, 0, 0),
    (64, "UnregisterBroker", 0, 0, 0),
    (65, "DescribeTransactions", 0, 0, 0),
    (66, "ListTransactions", 0, 2, 0),
    (68, "ConsumerGroupHeartbeat", 0, 1, 0),
    (69, "ConsumerGroupDescribe", 0, 1, 0),
    (74, "ListConfigResources", 0, 1, 0),
    (75, "DescribeTopicPartitions", 0, 0, 0),
    (80, "AddRaftVoter", 0, 1, 0),
    (81, "RemoveRaftVoter", 0, 0, 0),
    (88, "StreamsGroupHeartbeat", 0, 1, 0),
    (89, "StreamsGroupDescribe", 0, 1, 0),
    (93, "StreamsGroupTopologyDescriptionUpdate", 0, 0, 0),
    (94, "UnregisterController", 0, 0, 0),
)
"""(key, name, first version, last version, first flexible version)"""
